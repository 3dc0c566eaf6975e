package io.equipoise.policy.logistic;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Request;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.DecisionRound;
import io.equipoise.policy.constraint.EarnRound;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.policy.logistic.DecisionAudit.Excluded;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides once for a logistic policy in a segment. {@link LogisticRound} scores, constrains and
 * picks at once, from a start of the scan that seeded ties draw: ties may decide at which parameter
 * effects are computed. The audit asks the model of people who disclosed all that the features
 * show. Made for one decision, and valid until the model state changes: start and choice are those
 * of the last pick, the audit is that of the chosen candidate. To the rule that earns while
 * certifying, a candidate has the status that it has by the audit of its effects on this person.
 */
final class LogisticDecision extends DecisionRound<double[]> {
  private final LogisticRule rule;
  private final ModelState modelState;
  private final LogisticState state;
  private final LogisticState audited;
  private final Request request;
  private final LogisticRequest asked;
  private final LogisticSpec settings;
  private final int attributes;
  private final EarnRound.Terms terms;
  private final LogisticRound round;
  private final RequestPoints auditedPoints;
  private int start;
  private @Nullable LogisticChoice choice;
  private @Nullable DecisionAudit audit;

  /**
   * Encodes a request.
   *
   * @param audited the model that the audit asks, with the memory of the state
   * @param attributes how many constraints are of single attributes; they come first
   * @param terms what the forecast of certificates takes from the spec
   */
  LogisticDecision(
      LogisticRule rule,
      ModelState modelState,
      LogisticState state,
      LogisticState audited,
      Request request,
      LogisticRequest asked,
      LogisticSpec settings,
      int attributes,
      EarnRound.Terms terms) {
    this.rule = rule;
    this.modelState = modelState;
    this.state = state;
    this.audited = audited;
    this.request = request;
    this.asked = asked;
    this.settings = settings;
    this.attributes = attributes;
    this.terms = terms;
    round = rule.round(state, asked);
    auditedPoints = audited.model() == state.model() ? round.points : rule.points(audited, asked);
    begin(asked.size());
    kind = settings.isDrawn() ? PropensityKind.EXACT : PropensityKind.DETERMINISTIC;
  }

  @Override
  protected void score() {
    for (int place = 0; place < size; place++) {
      mean[place] = round.mean(place);
    }
  }

  @Override
  protected void pick(SeededRandom seededRandom) {
    if (settings.isSeeded()) {
      double u = seededRandom.uniform(SeededRandom.Purpose.TIE);
      start = Math.min(size - 1, (int) (size * u));
    }
    LogisticChoice ruled = round.choose(start);
    choice = ruled;
    chosen = ruled.candidate();
    index = ruled.optimistic();
    score = index;
    fairSetSize = ruled.allowed();
    reason = ruled.reason();
    isExplored = reason == DecisionReason.FORCED_EXPLORATION;
    if (!settings.isSeeded()) {
      propensity[chosen] = 1;
      return;
    }
    int[] times = new int[size];
    for (int from = 0; from < size; from++) {
      times[round.candidate(from)]++;
    }
    for (int place = 0; place < size; place++) {
      propensity[place] = (double) times[place] / size;
    }
  }

  @Override
  protected boolean[] certified() {
    return rule.certified(audited, auditedPoints);
  }

  @Override
  protected void settle() {
    if (chosen != choice.candidate()) {
      choice = round.take(start, chosen);
    }
    rule.commit(state, asked, choice);
    modelState.put(LogisticPolicy.MEMORY, state.memory());
  }

  @Override
  protected List<AuditFinding> audit(int place) {
    DecisionAudit found = rule.audit(audited, auditedPoints, choice);
    audit = found;
    Excluded left = isLeftByDraw ? null : found.excluded();
    excluded = left == null ? NONE : left.candidate();
    return found.findings();
  }

  @Override
  protected @Nullable List<AuditFinding> left() {
    return excluded == NONE ? null : audit.excluded().findings();
  }

  @Override
  protected List<Double> duals() {
    double[] phi = choice.phiBefore();
    return phi.length == 0
        ? List.of()
        : audit.constraints().stream().map(constraint -> phi[constraint]).toList();
  }

  @Override
  protected boolean[] allowed() {
    return round.allowed(start);
  }

  @Override
  protected EarnRound.Terms terms() {
    return terms;
  }

  @Override
  protected double @Nullable [] look(int place, EarnRound targets) {
    int position = request.candidates().get(place).position();
    double bonus = Math.max(0, index[place] - mean[place]);
    targets.candidate(place, position, position >= 0, mean[place], bonus);
    EncodedCandidate candidate = asked.candidates().get(place);
    for (int attribute = 0; attribute < attributes; attribute++) {
      int others = candidate.counterfactuals()[attribute].length;
      for (int other = 0; other < others; other++) {
        if (isOwn(candidate, attribute, other)) {
          double more = round.more(place, index[place], attribute, other);
          targets.other(place, more, 1 / (others + 1.0));
        }
      }
    }
    return rule.look(audited, auditedPoints, place, targets);
  }

  @SuppressWarnings("ReferenceEquality") // x itself where the person's level is disclosed
  private static boolean isOwn(EncodedCandidate candidate, int attribute, int other) {
    return candidate.factuals()[attribute][other] == candidate.x()
        && !candidate.isHidden()[attribute][other];
  }

  /** Returns the weight that a reward for a candidate would have in a difference of log odds. */
  @Override
  protected double weight(int place, double[] difference) {
    if (audited.model().rewards() == 0) {
      return 1;
    }
    double[] x = asked.candidates().get(place).x();
    double[] solved = new double[x.length];
    audited.model().estimate().curvature.solve(difference, solved);
    return Vectors.dot(solved, x) / Vectors.dot(solved, difference);
  }

  @Override
  protected EarnState earning() {
    return modelState.get(LogisticPolicy.EARNING) instanceof EarnState stored
        ? stored
        : new EarnState();
  }

  @Override
  protected void keep(EarnState earning) {
    modelState.put(LogisticPolicy.EARNING, earning);
  }
}
