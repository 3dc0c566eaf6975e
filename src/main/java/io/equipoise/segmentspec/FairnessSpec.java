package io.equipoise.segmentspec;

/**
 * What counts as fair, and how surely.
 *
 * @param tau the greatest effect of a sensitive attribute on the expected reward that is fair
 * @param delta the probability, over all rounds together, that a certificate may be wrong
 * @param scale the sub-Gaussian scale of the certificate
 * @param intersections whether several sensitive attributes are changed together too
 * @param refutationDelta the probability that any assumption of the spec that holds is ever called
 *     refuted
 * @param onRefuted what becomes of verdicts once an assumption is refuted
 * @param certificates how effects are bounded
 */
public record FairnessSpec(
    double tau,
    double delta,
    ConfidenceKind confidence,
    double scale,
    boolean intersections,
    double refutationDelta,
    OnRefuted onRefuted,
    CertificatesSpec certificates) {
  /** The refutation delta of a spec that gives none. */
  public static final double REFUTATION_DELTA = 0.01;

  /** Leaves the tests of assumptions and the certificates at their defaults. */
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
        CertificatesSpec.DEFAULT);
  }
}
