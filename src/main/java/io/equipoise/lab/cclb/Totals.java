package io.equipoise.lab.cclb;

import io.equipoise.event.AuditVerdict;
import java.util.Map;

/**
 * Sums over the first t rounds of a trial, by the truth.
 *
 * @param regret R, against the best fair candidate; below 0 where unfair decisions earn more
 * @param violation V, sum of max(0, |Delta| - tau)
 * @param violations nv, rounds with |Delta| &gt; tau
 * @param penalized pen, R with the reward of an unfair decision counted as 0
 * @param phi the dual variable after round t; 0 for a policy without a constraint
 * @param mixedRegret R+, against the best distribution whose mean |Delta| is at most tau
 * @param signedViolation max(0, sum of |Delta| - tau)
 * @param explored decisions of forced exploration
 * @param verdicts decisions by verdict; empty without an audit
 * @param wrong decisions CERTIFIED_FAIR with |Delta| &gt; tau, or UNFAIR without
 * @param excluded decisions whose excluded candidate is NO_OVERLAP
 * @param alarms rounds with the overlap alarm ringing
 */
record Totals(
    int t,
    double regret,
    double violation,
    int violations,
    double penalized,
    double phi,
    double mixedRegret,
    double signedViolation,
    int explored,
    Map<AuditVerdict, Integer> verdicts,
    int wrong,
    int excluded,
    int alarms) {
  int verdict(AuditVerdict auditVerdict) {
    return verdicts.getOrDefault(auditVerdict, 0);
  }
}
