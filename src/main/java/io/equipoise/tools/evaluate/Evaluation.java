package io.equipoise.tools.evaluate;

import io.equipoise.event.AuditVerdict;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.tools.evaluate.OffPolicy.Estimate;
import io.equipoise.tools.evaluate.OffPolicy.ValueInterval;
import io.equipoise.watch.RewardRegression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the reward that a target spec would have earned on logged decisions, and how fair it
 * would have been.
 *
 * <p>Estimated is (1/n) sum_t E[reward of a ~ pi_t(. | x_t)]: pi_t is the target policy that has
 * learned from the logged rows before t. It is not the reward of a run in which the target learns
 * from its own choices. It assumes that rewards are missing independently of their value, given
 * person and arm, and that the logged propensities are right.
 *
 * @param logged all rows of the log
 * @param answered rows with a reward that are valid under the target spec
 * @param counts rewards that the target learned, and what it could not use
 * @param snips over all rows with a reward
 * @param doublyRobust over the same rows
 * @param log the mean reward of the policy that wrote the log
 * @param groups by level of each sensitive attribute
 * @param certifiedShare share of the target's decisions that its own audit certifies
 * @param unfairShare share whose gravest verdict is UNFAIR
 * @param fallbackShare share with the reason FALLBACK or UNCERTIFIED
 */
public record Evaluation(
    SegmentSpec spec,
    int logged,
    int answered,
    TargetReplay.Counts counts,
    Estimate snips,
    Estimate doublyRobust,
    Estimate log,
    List<GroupEstimate> groups,
    double certifiedShare,
    double unfairShare,
    double fallbackShare) {
  public Evaluation {
    groups = List.copyOf(groups);
  }

  /**
   * Estimates the reward of people with one disclosed level of a sensitive attribute.
   *
   * @param level of the spec, or {@code undisclosed}
   * @param gap the mean reward minus that of the attribute's first level, by SNIPS; null where it
   *     is not estimated
   */
  public record GroupEstimate(
      String attribute,
      String level,
      Estimate snips,
      Estimate doublyRobust,
      @Nullable ValueInterval gap) {}

  /**
   * Evaluates a spec.
   *
   * @param rows of one or more segments
   * @throws EvaluationException if the policy is an experiment, or idle segments lose state
   */
  public static Evaluation of(CompiledSpec target, List<LoggedDecision> rows, OffPolicy method) {
    if (target.experiment() != null) {
      throw new EvaluationException(
          "spec %s: policy %s given; an experiment draws by its own plan, so a log cannot evaluate it"
              .formatted(target.spec().name(), target.spec().policy().name().wire()));
    }
    if (target.spec().idleState() != null) {
      throw new EvaluationException(
          "spec %s: idle-state given; evaluate a copy of the spec without it"
              .formatted(target.spec().name()));
    }
    Set<String> shown = new HashSet<>();
    Map<String, List<LoggedDecision>> segments = new LinkedHashMap<>();
    for (LoggedDecision row : rows) {
      shown.add(row.arm());
      segments.computeIfAbsent(row.segment(), any -> new ArrayList<>()).add(row);
    }
    List<EvaluatedRow> evaluated = new ArrayList<>();
    TargetReplay.Counts counts = new TargetReplay.Counts();
    for (Map.Entry<String, List<LoggedDecision>> segment : segments.entrySet()) {
      TargetReplay replay = new TargetReplay(target, segment.getKey(), counts);
      Predicate<String> support = shown::contains;
      segment.getValue().stream()
          .sorted(Comparator.comparingLong(LoggedDecision::time))
          .forEachOrdered(row -> replay.on(row, support));
      evaluated.addAll(replay.rows());
    }
    return of(target.spec(), rows.size(), counts, evaluated, method);
  }

  private static Evaluation of(
      SegmentSpec spec,
      int logged,
      TargetReplay.Counts counts,
      List<EvaluatedRow> all,
      OffPolicy method) {
    List<EvaluatedRow> rows = all.stream().filter(row -> row.reward() != null).toList();
    Columns columns = Columns.of(spec, rows);
    double[] same = new double[rows.size()];
    Arrays.fill(same, 1);
    List<GroupEstimate> groups = new ArrayList<>();
    List<SpecVariable> features = spec.variables().features();
    for (int place : spec.variables().sensitive()) {
      SpecVariable variable = features.get(place);
      int levels = variable.disclosedLevels() + (variable.undisclosed() < 0 ? 0 : 1);
      List<Columns> parts = new ArrayList<>();
      for (int level = 0; level < levels; level++) {
        int wanted = level;
        parts.add(columns.where(row -> rows.get(row).person().levels()[place] == wanted));
      }
      Estimate first = parts.get(0).snips(method);
      for (int level = 0; level < levels; level++) {
        boolean isDisclosed = level < variable.disclosedLevels();
        Estimate own = parts.get(level).snips(method);
        groups.add(
            new GroupEstimate(
                variable.name(),
                isDisclosed ? variable.levels().get(level) : "undisclosed",
                own,
                parts.get(level).doublyRobust(method),
                level == 0 ? null : own.minus(first)));
      }
    }
    return new Evaluation(
        spec,
        logged,
        rows.size(),
        counts,
        columns.snips(method),
        columns.doublyRobust(method),
        method.snips(same, columns.rewards(), 0),
        groups,
        share(all, EvaluatedRow::isCertified),
        share(all, row -> row.verdict() == AuditVerdict.UNFAIR),
        share(all, EvaluatedRow::isFallback));
  }

  private static double share(List<EvaluatedRow> rows, Predicate<EvaluatedRow> which) {
    return rows.isEmpty() ? 0 : rows.stream().filter(which).count() / (double) rows.size();
  }

  /** Collects the inputs of the estimates by row. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Columns(
      double[] weights,
      double[] rewards,
      double[] predicted,
      double[] direct,
      double[] unsupported) {

    static Columns of(SegmentSpec spec, List<EvaluatedRow> rows) {
      int count = rows.size();
      Columns columns =
          new Columns(
              new double[count],
              new double[count],
              new double[count],
              new double[count],
              new double[count]);
      RewardRegression regression = new RewardRegression(spec);
      for (int i = 0; i < count; i++) {
        EvaluatedRow row = rows.get(i);
        Double reward = row.reward();
        double[] x = regression.columns(row.person());
        columns.weights[i] = row.weight();
        columns.rewards[i] = reward == null ? 0 : reward;
        columns.unsupported[i] = row.unsupported();
        for (int arm = 0; arm < row.probabilities().length; arm++) {
          double probability = row.probabilities()[arm];
          columns.direct[i] += probability == 0 ? 0 : probability * regression.predict(x, arm);
        }
        if (row.arm() >= 0) {
          columns.predicted[i] = regression.predict(x, row.arm());
          regression.learn(x, row.arm(), columns.rewards[i]);
        }
      }
      return columns;
    }

    Columns where(IntPredicate which) {
      int[] rows = IntStream.range(0, weights.length).filter(which).toArray();
      return new Columns(
          picked(weights, rows),
          picked(rewards, rows),
          picked(predicted, rows),
          picked(direct, rows),
          picked(unsupported, rows));
    }

    private static double[] picked(double[] values, int[] rows) {
      return IntStream.of(rows).mapToDouble(row -> values[row]).toArray();
    }

    private double meanUnsupported() {
      return Arrays.stream(unsupported).average().orElse(0);
    }

    Estimate snips(OffPolicy method) {
      return method.snips(weights, rewards, meanUnsupported());
    }

    Estimate doublyRobust(OffPolicy method) {
      return method.doublyRobust(weights, rewards, predicted, direct, meanUnsupported());
    }
  }
}
