package io.equipoise.policy.logistic;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditInterval;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.fairness.EffectIdentification;
import io.equipoise.policy.constraint.EarnRound;
import io.equipoise.policy.constraint.EffectBounds;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.constraint.EffectSize;
import io.equipoise.policy.logistic.DecisionAudit.Excluded;
import io.equipoise.policy.logistic.LogisticRequest.Alternative;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import io.equipoise.policy.logistic.OddsBounds.Bound;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Audits decisions of a logistic model over the whole ellipsoid, with a radius of its own whatever
 * the policy uses (docs/math/logistic.md#coverage), cut by what {@link OddsContrasts} know. Where
 * there are {@link PairsPlan.PairBounds} they certify in its place.
 */
record EffectAudit(EffectScale effects, List<EffectLimit> limits, ConfidenceRadius radius) {
  private static final double LEAST_SLOPE = 1e-6;

  DecisionAudit of(LogisticState state, RequestPoints points, LogisticChoice choice) {
    double r = points.radius(radius);
    Findings found = findings(comparisons(state, points, choice.candidate(), r));
    AuditVerdict gravest = AuditFinding.gravest(found.findings());
    Excluded excluded = excluded(state, points, choice, r);
    return new DecisionAudit(
        found.findings(), found.overlap(), found.constraints(), gravest, excluded);
  }

  /** Collects the findings on a candidate: one of each for every alternative. */
  private record Findings(
      List<AuditFinding> findings, List<Overlap> overlap, List<Integer> constraints) {}

  /** Takes equal alternatives that follow each other for one effect, the union of theirs. */
  private Findings findings(List<Compared> comparisons) {
    Findings found = new Findings(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int first = 0; first < comparisons.size(); ) {
      Compared compared = comparisons.get(first);
      Overlap covered = compared.overlap();
      EffectFinding auditEffect = effect(compared, covered);
      int next = first + 1;
      while (next < comparisons.size() && compared.isOfSameEffect(comparisons.get(next))) {
        Overlap another = comparisons.get(next).overlap();
        auditEffect = auditEffect.or(effect(comparisons.get(next), another));
        covered = another.unsupportedShare() > covered.unsupportedShare() ? another : covered;
        next++;
      }
      double tau = compared.tau();
      AuditGuarantee guarantee =
          auditEffect.interval() == AuditInterval.PAIRS
              ? AuditGuarantee.ANYTIME
              : radius.kind().guarantee();
      found.findings().add(AuditFinding.of(auditEffect, tau, guarantee));
      found.overlap().add(covered);
      found.constraints().add(compared.constraint());
      first = next;
    }
    return found;
  }

  /** Returns whether every effect of a candidate is certified to be within its threshold. */
  boolean certifies(LogisticState state, RequestPoints points, int candidate) {
    double r = points.radius(radius);
    for (Compared compared : comparisons(state, points, candidate, r)) {
      double tau = compared.tau();
      if (!compared.bounds().isAtMost(tau, EffectSize::high, () -> compared.interval().size())
          || compared.isUnsupported()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds the effects of a candidate to what a round knows; returns the difference of features of
   * the undecided one with the widest interval, null if there is none. An effect without data is
   * open.
   */
  double @Nullable [] look(
      LogisticState state, RequestPoints points, int candidate, EarnRound round) {
    double r = points.radius(radius);
    double[] widest = null;
    for (Compared compared : comparisons(state, points, candidate, r)) {
      double unit = compared.perUnit();
      double tau = unit * compared.tau();
      if (compared.isUnsupported()) {
        round.unknownEffect(candidate, tau);
      }
      OddsInterval interval = compared.interval();
      if (round.effect(candidate, unit * interval.lower(), unit * interval.upper(), tau)) {
        widest = compared.isHidden() ? null : compared.difference();
      }
    }
    return widest;
  }

  /** Pairs one counterfactual of a candidate with what the effect's range is searched on. */
  private record Compared(
      PointPair pair,
      double greatest,
      EffectEllipse ellipse,
      boolean isHidden,
      @Nullable Bound bound,
      int constraint,
      double tau,
      Alternative alternative) {
    boolean isOfSameEffect(Compared other) {
      return constraint == other.constraint && alternative.equals(other.alternative);
    }

    /** Returns about how much of a probability a small effect of 1 is. */
    double perUnit() {
      return pair.effects == EffectScale.PROBABILITY
          ? 1
          : Math.max(LEAST_SLOPE, Logistic.slope(pair.x.z));
    }

    OddsInterval interval() {
      if (isHidden) {
        return OddsInterval.any(greatest);
      }
      if (isOfPairs()) {
        return new OddsInterval(pair.effect(), bound.lower(), bound.upper());
      }
      boolean isPart =
          bound != null
              && bound.lower() <= bound.upper()
              && ellipse.isBeyond(bound.lower(), bound.upper());
      if (isPart) {
        return new OddsInterval(pair.effect(), bound.lower(), bound.upper());
      }
      OddsInterval whole = ellipse.interval();
      OddsInterval cut = bound == null ? null : bound.cut(whole);
      return cut == null ? whole : cut;
    }

    /**
     * Returns whether the interval is that of matched pairs. They certify fair effects only, so an
     * effect that they leave open and that exceeds tau on the whole ellipsoid has the ellipsoid's.
     */
    boolean isOfPairs() {
      return bound != null
          && bound.interval() == AuditInterval.PAIRS
          && (Math.max(bound.upper(), -bound.lower()) <= tau
              || ellipse.bounds().isAtMost(tau, EffectSize::low, () -> ellipse.interval().size()));
    }

    EffectBounds bounds() {
      if (isHidden || (bound != null && bound.interval() == AuditInterval.PAIRS)) {
        return EffectBounds.of(interval().size());
      }
      return bound == null ? ellipse.bounds() : ellipse.bounds().ofPart();
    }

    double[] difference() {
      double[] difference = new double[pair.x.x.length];
      for (int i = 0; i < difference.length; i++) {
        difference[i] = pair.xc.x[i] - pair.x.x[i];
      }
      return difference;
    }

    boolean isUnsupported() {
      return isHidden || pair.isUnsupported();
    }

    Overlap overlap() {
      return isHidden ? Overlap.NONE : pair.overlap();
    }
  }

  private List<Compared> comparisons(
      LogisticState state, RequestPoints points, int candidate, double r) {
    LogisticRequest request = points.request;
    OddsBounds odds = state.bounds();
    EncodedCandidate audited = request.candidates().get(candidate);
    List<Compared> comparisons = new ArrayList<>();
    for (int constraint = 0; constraint < limits.size(); constraint++) {
      List<Alternative> alternatives = request.alternatives().get(constraint);
      for (int i = 0; i < alternatives.size(); i++) {
        PointPair pair = points.pair(candidate, constraint, i);
        boolean isHidden = audited.isHidden()[constraint][i];
        Bound bound = isHidden || odds == null ? null : odds.of(points, candidate, constraint, i);
        double tau = limits.get(constraint).tau();
        comparisons.add(
            new Compared(
                pair,
                effects.greatest(points.estimate.scale()),
                new EffectEllipse(pair, r),
                isHidden,
                bound,
                constraint,
                tau,
                alternatives.get(i)));
      }
    }
    return comparisons;
  }

  private static EffectFinding effect(Compared compared, Overlap overlap) {
    Alternative of = compared.alternative();
    if (!of.isIdentified()) {
      return EffectFinding.notIdentified(
          of.attribute(),
          of.factual(),
          of.counterfactual(),
          AuditEffectKind.DIRECT,
          compared.greatest());
    }
    OddsInterval interval = compared.interval();
    Bound bound = compared.bound();
    boolean isWeighted = bound != null && bound.isEndOf(interval);
    AuditInterval other =
        compared.isHidden()
            ? null
            : compared.isOfPairs() ? AuditInterval.PAIRS : AuditInterval.ELLIPSOID;
    return new EffectFinding(
        of.attribute(),
        of.factual(),
        of.counterfactual(),
        AuditEffectKind.DIRECT,
        EffectIdentification.IDENTIFIED,
        -interval.estimate(),
        -interval.upper(),
        -interval.lower(),
        overlap.unsupportedShare(),
        EffectFinding.leverageOf(overlap.leverage()),
        isWeighted ? AuditInterval.CONTRAST : other,
        isWeighted ? (Double) bound.information() : null,
        isWeighted ? (Double) bound.imbalance() : null);
  }

  /** Tries the better-paid candidates from the best-paid down, the lowest index first. */
  private @Nullable Excluded excluded(
      LogisticState state, RequestPoints points, LogisticChoice choice, double r) {
    double[] optimistic = choice.optimistic();
    boolean[] isTried = new boolean[optimistic.length];
    while (true) {
      int best = choice.candidate();
      for (int candidate = 0; candidate < optimistic.length; candidate++) {
        if (!isTried[candidate] && optimistic[candidate] > optimistic[best]) {
          best = candidate;
        }
      }
      if (best == choice.candidate()) {
        return null;
      }
      isTried[best] = true;
      Excluded excluded = undecided(state, points, best, optimistic[best], r);
      if (excluded != null) {
        return excluded;
      }
    }
  }

  private @Nullable Excluded undecided(
      LogisticState state, RequestPoints points, int candidate, double optimistic, double r) {
    List<Compared> comparisons = comparisons(state, points, candidate, r);
    for (Compared compared : comparisons) {
      double tau = compared.tau();
      if (!compared.bounds().isAtMost(tau, EffectSize::low, () -> compared.interval().size())) {
        return null; // known to be unfair
      }
    }
    List<AuditFinding> findings = findings(comparisons).findings();
    AuditVerdict auditVerdict = AuditFinding.gravest(findings);
    if (auditVerdict == AuditVerdict.CERTIFIED_FAIR || auditVerdict == AuditVerdict.UNFAIR) {
      return null;
    }
    double low = 0;
    double high = 0;
    for (AuditFinding finding : findings) {
      EffectFinding auditEffect = finding.effect();
      low = Math.max(low, Math.max(auditEffect.lower(), -auditEffect.upper()));
      high = Math.max(high, auditEffect.worst());
    }
    return new Excluded(candidate, auditVerdict, findings, low, high, optimistic);
  }
}
