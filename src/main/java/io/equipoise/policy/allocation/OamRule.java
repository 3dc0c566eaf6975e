package io.equipoise.policy.allocation;

import io.equipoise.event.DecisionReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses arms by optimal allocation matching, with causal bounds OAM-PCB (Huang and Wu 2023,
 * Algorithm 5; docs/math/allocation.md#a-round).
 *
 * <p>Each round exploits if all arms of the context are known well enough for their gaps. Else it
 * explores: an arm that lags behind the allocation, an arm that was pulled less than a share of the
 * explored rounds, or, if none lags, the arm of LinUCB. Causal bounds clip estimates and indices,
 * and an arm whose upper bound is below the best estimate of its context is left alone.
 *
 * <p>An arm whose features lie outside of the span of what was pulled is pulled at once. Where the
 * paper waits until all of them are spanned, this one goes on with the contexts that are: some may
 * never come.
 *
 * <p>The allocation is solved again when best or kept rows change, or when the explored rounds have
 * grown by a tenth: some hundred times in 15 000 rounds. Immutable but for the state it is given.
 */
public final class OamRule {
  private static final double GROWTH = 1.1;

  private final OamTable table;
  private final OamSchedule schedule;
  private final double confidence;

  public OamRule(OamTable table, OamSchedule schedule) {
    if (schedule.dimension() != table.dimension) {
      throw new IllegalArgumentException(
          "a schedule for dimension " + schedule.dimension() + ", not " + table.dimension);
    }
    this.table = table;
    this.schedule = schedule;
    confidence = schedule.confidence();
  }

  /** Chooses the arm to pull in a context; counts the round in the plan if it explores. */
  public OamChoice choose(OamState state, OamBounds oamBounds, int context) {
    OamStatistics statistics = state.statistics();
    int unknown = statistics.isSpanned() ? -1 : spanning(statistics, context);
    if (unknown >= 0) {
      return new OamChoice(
          unknown,
          DecisionReason.FORCED_EXPLORATION,
          0,
          oamBounds.clipped(table.row(context, unknown), 0));
    }
    Gaps gaps = Gaps.of(table, statistics, oamBounds, schedule.resolution());
    if (isKnown(statistics, gaps, context)) {
      int arm = greatest(context, gaps, gaps.mean);
      return chosen(statistics, gaps, context, arm, gaps.mean[table.row(context, arm)]);
    }
    state.plan().explored++;
    allocate(state.plan(), gaps);
    return explore(state, oamBounds, gaps, context);
  }

  /** Reports what is known of an arm that a draw puts in the place of the chosen one. */
  OamChoice drawn(OamState state, OamBounds oamBounds, int context, int arm) {
    OamStatistics statistics = state.statistics();
    int row = table.row(context, arm);
    boolean isWithin = statistics.isSpanned() || !table.enlarges(table.span(statistics.pulls), row);
    double mean = isWithin ? statistics.mean(table.x(row)) : 0;
    return new OamChoice(arm, DecisionReason.EXPLORE, mean, oamBounds.clipped(row, mean));
  }

  private OamChoice chosen(
      OamStatistics statistics, Gaps gaps, int context, int arm, double index) {
    int row = table.row(context, arm);
    DecisionReason reason = gaps.gap[row] == 0 ? DecisionReason.EXPLOIT : DecisionReason.EXPLORE;
    return new OamChoice(arm, reason, statistics.mean(table.x(row)), index);
  }

  /** Learns a reward. */
  public void learn(OamState state, int context, int arm, double reward) {
    refuseInfinite(reward);
    state.statistics().learn(table, table.row(context, arm), reward);
  }

  /**
   * Learns a reward of an arm that the table has no more. Beyond the span of what was pulled it
   * would only show what no arm of the table depends on, so nothing is learned.
   */
  void learnRetired(OamState state, double[] features, double reward) {
    refuseInfinite(reward);
    double[] x = table.coordinates(features);
    double[] rest = table.features(x);
    double outside = 0;
    for (int i = 0; i < rest.length; i++) {
      outside += (rest[i] - features[i]) * (rest[i] - features[i]);
    }
    boolean isWithin = Math.sqrt(outside) <= OamTable.INDEPENDENT;
    if (isWithin && !OamTable.enlarges(table.span(state.statistics().pulls), x)) {
      state.statistics().learn(table, x, reward);
    }
  }

  private static void refuseInfinite(double reward) {
    if (!Double.isFinite(reward)) {
      throw new IllegalArgumentException("reward " + reward);
    }
  }

  /** Returns the first arm that enlarges the span of what was pulled, or -1. */
  private int spanning(OamStatistics statistics, int context) {
    List<double[]> span = table.span(statistics.pulls);
    for (int arm = 0; arm < table.arms(); arm++) {
      if (table.enlarges(span, table.row(context, arm))) {
        return arm;
      }
    }
    return -1;
  }

  private boolean isKnown(OamStatistics statistics, Gaps gaps, int context) {
    if (gaps.least == Double.POSITIVE_INFINITY) {
      return false;
    }
    for (int arm = 0; arm < table.arms(); arm++) {
      int row = table.row(context, arm);
      double gap = Math.max(gaps.least, gaps.gap[row]);
      if (gaps.kept.get(row) && statistics.squaredWidth(table.x(row)) > gap * gap / confidence) {
        return false;
      }
    }
    return true;
  }

  private void allocate(OamPlan plan, Gaps gaps) {
    boolean isSame = gaps.best.equals(plan.bestWhenSolved) && gaps.kept.equals(plan.keptWhenSolved);
    if (isSame && plan.explored < GROWTH * plan.exploredWhenSolved) {
      return;
    }
    plan.bestWhenSolved = gaps.best;
    plan.keptWhenSolved = gaps.kept;
    plan.exploredWhenSolved = plan.explored;
    plan.allocation = allocation(gaps);
  }

  /** Without a solution a row is asked for as often as any can be: f_n / (least gap)^2. */
  private double[] allocation(Gaps gaps) {
    double[] allocation = new double[table.size()];
    Arrays.fill(allocation, Double.POSITIVE_INFINITY);
    List<Integer> suboptimal = new ArrayList<>();
    List<double[]> best = new ArrayList<>();
    for (int row = 0; row < table.size(); row++) {
      if (gaps.best.get(row)) {
        best.add(table.x(row));
      } else if (gaps.kept.get(row)) {
        suboptimal.add(row);
      } else {
        allocation[row] = 0;
      }
    }
    if (!suboptimal.isEmpty()) {
      double @Nullable [] solved =
          BarrierSolver.solve(
              new AllocationProblem(
                  suboptimal.stream().map(table::x).toArray(double[][]::new),
                  suboptimal.stream().mapToDouble(row -> gaps.gap[row]).toArray(),
                  best.toArray(new double[0][]),
                  confidence));
      for (int i = 0; solved != null && i < solved.length; i++) {
        allocation[suboptimal.get(i)] = solved[i];
      }
    }
    return allocation;
  }

  private OamChoice explore(OamState state, OamBounds oamBounds, Gaps gaps, int context) {
    long[] pulls = state.statistics().pulls;
    OamPlan plan = state.plan();
    double most = confidence / (gaps.least * gaps.least);
    int behind = -1;
    int rarest = -1;
    double leastShare = Double.POSITIVE_INFINITY;
    for (int arm = 0; arm < table.arms(); arm++) {
      int row = table.row(context, arm);
      if (!gaps.kept.get(row)) {
        continue;
      }
      double target = Math.min(plan.allocation[row], most);
      double share = pulls[row] / target;
      if (pulls[row] < target && share < leastShare) {
        leastShare = share;
        behind = arm;
      }
      if (rarest < 0 || pulls[row] < pulls[table.row(context, rarest)]) {
        rarest = arm;
      }
    }
    if (behind < 0) {
      double[] indices = indices(state, oamBounds, context);
      int arm = greatest(context, gaps, indices);
      return chosen(state.statistics(), gaps, context, arm, indices[table.row(context, arm)]);
    }
    int row = table.row(context, rarest);
    if (pulls[row] <= schedule.forced() * plan.explored) {
      double mean = state.statistics().mean(table.x(row));
      return new OamChoice(rarest, DecisionReason.FORCED_EXPLORATION, mean, gaps.mean[row]);
    }
    double index = gaps.mean[table.row(context, behind)];
    return chosen(state.statistics(), gaps, context, behind, index);
  }

  private double[] indices(OamState state, OamBounds oamBounds, int context) {
    double radius = Math.sqrt(schedule.confidenceAfter(state.plan().explored));
    double[] indices = new double[table.size()];
    for (int arm = 0; arm < table.arms(); arm++) {
      int row = table.row(context, arm);
      double[] x = table.x(row);
      double width = Math.sqrt(state.statistics().squaredWidth(x));
      double index = state.statistics().mean(x) + radius * width;
      indices[row] = Math.min(oamBounds.upper(row), index);
    }
    return indices;
  }

  /** Returns the kept arm with the greatest value, the first of several. */
  private int greatest(int context, Gaps gaps, double[] values) {
    int greatest = -1;
    for (int arm = 0; arm < table.arms(); arm++) {
      int row = table.row(context, arm);
      boolean isAhead = greatest < 0 || values[row] > values[table.row(context, greatest)];
      if (gaps.kept.get(row) && isAhead) {
        greatest = arm;
      }
    }
    return greatest;
  }

  /**
   * Computes from the estimates for each row: clipped mean, gap to the best kept row of its
   * context, and which rows are best and kept. Gaps above 0 are at least what can be resolved. Of a
   * context with a row outside of the span of what was pulled nothing is said: none of its rows is
   * best or kept.
   */
  private static final class Gaps {
    final double[] mean;
    final double[] gap;
    final BitSet best = new BitSet();
    final BitSet kept = new BitSet();

    /** The least gap above 0; infinite if there is none. */
    double least = Double.POSITIVE_INFINITY;

    private Gaps(int rows) {
      mean = new double[rows];
      gap = new double[rows];
    }

    static Gaps of(
        OamTable table, OamStatistics statistics, OamBounds oamBounds, double resolution) {
      Gaps gaps = new Gaps(table.size());
      for (int row = 0; row < table.size(); row++) {
        gaps.mean[row] = oamBounds.clipped(row, statistics.mean(table.x(row)));
      }
      List<double[]> span = statistics.isSpanned() ? List.of() : table.span(statistics.pulls);
      for (int context = 0; context < table.contexts(); context++) {
        if (statistics.isSpanned() || isWithin(table, span, context)) {
          gaps.fill(table, context, oamBounds, resolution);
        }
      }
      return gaps;
    }

    private static boolean isWithin(OamTable table, List<double[]> span, int context) {
      for (int arm = 0; arm < table.arms(); arm++) {
        if (table.enlarges(span, table.row(context, arm))) {
          return false;
        }
      }
      return true;
    }

    private void fill(OamTable table, int context, OamBounds oamBounds, double resolution) {
      int top = table.row(context, 0);
      for (int arm = 1; arm < table.arms(); arm++) {
        int row = table.row(context, arm);
        top = mean[row] > mean[top] ? row : top;
      }
      for (int arm = 0; arm < table.arms(); arm++) {
        int row = table.row(context, arm);
        if (oamBounds.upper(row) >= mean[top]) {
          kept.set(row);
        }
        double distance = mean[top] - mean[row];
        gap[row] = distance > 0 ? Math.max(distance, resolution) : 0;
        if (gap[row] == 0) {
          best.set(row);
        } else {
          least = Math.min(least, gap[row]);
        }
      }
    }
  }

  /**
   * Records what OAM chose.
   *
   * @param reason FORCED where the estimates had no say: its row was outside of the span, or the
   *     arm was hardly ever pulled; EXPLOIT where the arm has the best estimate; else EXPLORE
   * @param mean theta'x; 0 outside of the span of what was pulled
   * @param index of LinUCB, clipped, where that chose; else the mean, clipped
   */
  public record OamChoice(int arm, DecisionReason reason, double mean, double index) {}

  /** Holds what OAM has learned of a table, and what it plans to try. For one thread. */
  public record OamState(OamStatistics statistics, OamPlan plan) {
    /** Returns a state with nothing learned. */
    public static OamState of(OamTable table) {
      return new OamState(new OamStatistics(table), new OamPlan(table.size()));
    }
  }
}
