package io.equipoise.lab.cclb;

import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.OverlapAlarm;
import io.equipoise.policy.logistic.DecisionAudit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Sums up the first t rounds of a trial by the truth. */
record Totals(int t, Map<Measure, Double> sums) {
  /** A sum, with its name in reports and in the reference. */
  enum Measure {
    /** Regret against the best fair candidate; below 0 where unfair decisions earn more. */
    REGRET("R"),
    /** Sum of max(0, |Delta| - tau). */
    VIOLATION("V"),
    /** Rounds with |Delta| &gt; tau. */
    VIOLATIONS("nv"),
    /** Regret with the reward of an unfair decision counted as 0. */
    PENALIZED("pen"),
    /** The dual variable after round t; 0 for a policy without a constraint. */
    PHI("phi"),
    /** Regret against the best distribution whose mean |Delta| is at most tau. */
    MIXED_REGRET("Rplus"),
    /** The sum of |Delta| - tau, at least 0. */
    SIGNED_VIOLATION("Vsigned"),
    /** Decisions of forced exploration. */
    EXPLORED("explored"),
    /** Audited decisions of each verdict. */
    CERTIFIED_FAIR("certified_fair"),
    UNFAIR("unfair"),
    NO_OVERLAP("no_overlap"),
    FAIR("fair"),
    UNCERTAIN("uncertain"),
    NOT_IDENTIFIED("not_identified"),
    /** Decisions CERTIFIED_FAIR with |Delta| &gt; tau, or UNFAIR without. */
    WRONG("wrong"),
    /** Decisions whose excluded candidate is NO_OVERLAP. */
    EXCLUDED("excluded"),
    /** Rounds in which the overlap alarm rings. */
    ALARMS("alarms");

    /** The measures whose means the reference has. */
    static final List<Measure> REFERENCED = List.of(REGRET, VIOLATION, VIOLATIONS, PENALIZED);

    private final String wire;

    Measure(String wire) {
      this.wire = wire;
    }

    String wire() {
      return wire;
    }

    /** Returns whether only audited trials have it. */
    boolean isOfAudit() {
      return compareTo(EXPLORED) > 0;
    }
  }

  double get(Measure measure) {
    return sums.getOrDefault(measure, 0.0);
  }

  /** Adds up rounds. */
  static final class Sum {
    private final Map<Measure, Double> sums = new EnumMap<>(Measure.class);
    private final OverlapAlarm alarm = new OverlapAlarm();
    private int t;

    Sum() {
      for (Measure measure : Measure.values()) {
        sums.put(measure, 0.0);
      }
    }

    private void add(Measure measure, double value) {
      sums.merge(measure, value, Double::sum);
    }

    private void count(Measure measure, boolean isCounted) {
      add(measure, isCounted ? 1 : 0);
    }

    void decided(KnownRound round, int candidate, boolean isExplored) {
      t++;
      double reward = round.reward()[candidate];
      double excess = round.effect()[candidate] - round.tau();
      boolean isFair = round.isFair(candidate);
      add(Measure.REGRET, round.best() - reward);
      add(Measure.MIXED_REGRET, round.bestMixed() - reward);
      add(Measure.VIOLATION, Math.max(0, excess));
      add(Measure.SIGNED_VIOLATION, excess);
      count(Measure.VIOLATIONS, !isFair);
      add(Measure.PENALIZED, round.best() - (isFair ? reward : 0));
      count(Measure.EXPLORED, isExplored);
    }

    void audited(KnownRound round, int candidate, DecisionAudit audit) {
      AuditVerdict verdict = audit.verdict();
      boolean isFair = round.isFair(candidate);
      DecisionAudit.Excluded excluded = audit.excluded();
      add(Measure.valueOf(verdict.name()), 1);
      count(
          Measure.WRONG,
          (verdict == AuditVerdict.CERTIFIED_FAIR && !isFair)
              || (verdict == AuditVerdict.UNFAIR && isFair));
      count(Measure.EXCLUDED, excluded != null && excluded.verdict() == AuditVerdict.NO_OVERLAP);
      alarm.decided(audit.hasNoOverlap());
      count(Measure.ALARMS, alarm.rings());
    }

    /** Returns the sums so far. */
    Totals totals(double phi) {
      Map<Measure, Double> totals = new EnumMap<>(sums);
      totals.put(Measure.PHI, phi);
      totals.merge(Measure.SIGNED_VIOLATION, 0.0, Math::max);
      return new Totals(t, totals);
    }
  }
}
