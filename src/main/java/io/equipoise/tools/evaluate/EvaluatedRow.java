package io.equipoise.tools.evaluate;

import io.equipoise.event.AuditVerdict;
import io.equipoise.policy.features.Profile;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a logged decision under the target policy as it was just before.
 *
 * @param person by the target spec
 * @param probabilities of each arm of the target spec
 * @param arm the logged arm among these; -1 if the target spec has none of this id
 * @param propensity of the logged arm when it was logged
 * @param unsupported the probability of arms that the log could not show
 * @param verdict the gravest of the target's audit of the arm that it would have drawn
 * @param isCertified whether the target's audit certified the drawn arm
 * @param isFallback whether the target's reason was FALLBACK or UNCERTIFIED
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record EvaluatedRow(
    Profile person,
    double[] probabilities,
    int arm,
    double propensity,
    double unsupported,
    AuditVerdict verdict,
    boolean isCertified,
    boolean isFallback,
    @Nullable Double reward) {
  /** Returns how much more probable the logged arm is under the target. */
  public double weight() {
    return arm < 0 ? 0 : probabilities[arm] / propensity;
  }
}
