package io.equipoise.lab.cclb;

import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.OverlapAlarm;
import io.equipoise.policy.logistic.DecisionAudit;
import java.util.EnumMap;
import java.util.Map;

/** Adds up {@link Totals} round by round. */
final class Measures {
  private final Map<AuditVerdict, Integer> verdicts = new EnumMap<>(AuditVerdict.class);
  private final OverlapAlarm alarm = new OverlapAlarm();
  private int t;
  private double regret;
  private double violation;
  private int violations;
  private double penalized;
  private double mixedRegret;
  private double signed;
  private int explored;
  private int wrong;
  private int excluded;
  private int alarms;

  void decided(KnownRound round, int candidate, boolean isExplored) {
    t++;
    double reward = round.reward()[candidate];
    double excess = round.effect()[candidate] - round.tau();
    boolean isFair = round.isFair(candidate);
    regret += round.best() - reward;
    mixedRegret += round.bestMixed() - reward;
    violation += Math.max(0, excess);
    signed += excess;
    violations += isFair ? 0 : 1;
    penalized += round.best() - (isFair ? reward : 0);
    explored += isExplored ? 1 : 0;
  }

  void audited(KnownRound round, int candidate, DecisionAudit audit) {
    AuditVerdict auditVerdict = audit.verdict();
    verdicts.merge(auditVerdict, 1, Integer::sum);
    boolean isFair = round.isFair(candidate);
    boolean isWrong =
        (auditVerdict == AuditVerdict.CERTIFIED_FAIR && !isFair)
            || (auditVerdict == AuditVerdict.UNFAIR && isFair);
    wrong += isWrong ? 1 : 0;
    DecisionAudit.Excluded left = audit.excluded();
    excluded += left != null && left.verdict() == AuditVerdict.NO_OVERLAP ? 1 : 0;
    alarm.decided(audit.hasNoOverlap());
    alarms += alarm.rings() ? 1 : 0;
  }

  Totals totals(double phi) {
    return new Totals(
        t,
        regret,
        violation,
        violations,
        penalized,
        phi,
        mixedRegret,
        Math.max(0, signed),
        explored,
        new EnumMap<>(verdicts),
        wrong,
        excluded,
        alarms);
  }
}
