package io.equipoise.segmentspec;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.EffectUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Defines which effects count as fair, and with which probability certificates hold.
 *
 * @param tau the greatest effect of a sensitive attribute that is fair, in {@code unit}; of several
 *     kinds the largest limit
 * @param delta the probability, over all rounds together, that a certificate may be wrong
 * @param scale the sub-Gaussian scale of the certificate
 * @param intersections whether several sensitive attributes are changed together too
 * @param refutationDelta the probability that any assumption of the spec that holds is ever called
 *     refuted
 * @param onRefuted the treatment of verdicts once an assumption is refuted
 * @param certificates how effects are bounded
 * @param unit of effects: on the expected reward, or on its log odds
 * @param kinds the limits by kind of effect; empty if the policy's family chooses the kind
 * @param split the variables that are matched to split the gap between groups, all if empty; null
 *     for no split
 */
public record FairnessSpec(
    double tau,
    double delta,
    ConfidenceKind confidence,
    double scale,
    boolean intersections,
    double refutationDelta,
    OnRefuted onRefuted,
    CertificatesSpec certificates,
    EffectUnit unit,
    Map<AuditEffectKind, Double> kinds,
    @Nullable List<String> split) {
  /** The refutation delta of a spec that gives none. */
  public static final double REFUTATION_DELTA = 0.01;

  /** Leaves the tests of assumptions, the certificates and the unit at their defaults. */
  public FairnessSpec(
      double tau, double delta, ConfidenceKind confidence, double scale, boolean intersections) {
    this(
        tau,
        delta,
        confidence,
        scale,
        intersections,
        REFUTATION_DELTA,
        OnRefuted.WITHHOLD,
        CertificatesSpec.DEFAULT,
        EffectUnit.REWARD,
        Map.of(),
        null);
  }

  /** Returns the smallest limit of all kinds. */
  public double least() {
    return kinds.values().stream().mapToDouble(limit -> limit).min().orElse(tau);
  }
}
