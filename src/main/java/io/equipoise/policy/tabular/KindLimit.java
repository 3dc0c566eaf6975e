package io.equipoise.policy.tabular;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.segmentspec.FairnessSpec;
import java.util.List;

/**
 * Limits one kind of effect that is audited. Rules of choice have one limit, the greatest, so they
 * get every size in units of its own: docs/math/effect-split.md#several-limits.
 *
 * @param tau limit of the kind, in units of reward
 * @param greatest limit of all kinds
 */
record KindLimit(AuditEffectKind kind, double tau, double greatest) {
  /** Returns the audited kinds; of a spec with one number, the total effect. */
  static List<KindLimit> of(FairnessSpec fairness) {
    double tau = fairness.tau();
    return fairness.kinds().isEmpty()
        ? List.of(new KindLimit(AuditEffectKind.TOTAL, tau, tau))
        : fairness.kinds().entrySet().stream()
            .map(it -> new KindLimit(it.getKey(), it.getValue(), tau))
            .toList();
  }

  /** Returns size * greatest / tau, on the side of the greatest limit that the size has of its. */
  double scaled(double size) {
    double scaled = size * (greatest / tau);
    return size <= tau ? Math.min(scaled, greatest) : Math.max(scaled, Math.nextUp(greatest));
  }

  /** Returns the size whose scaled one this is. */
  double unscaled(double scaled) {
    return scaled == greatest ? tau : scaled / (greatest / tau);
  }
}
