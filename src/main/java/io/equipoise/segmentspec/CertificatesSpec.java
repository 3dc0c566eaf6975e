package io.equipoise.segmentspec;

/**
 * Sets how effects of policies with a model of coefficients are bounded: {@code
 * fairness.certificates}.
 *
 * @param sticky whether an interval never grows again
 * @param contrasts the most effects of a segment that have an interval of their own; the ellipsoid
 *     bounds the rest
 */
public record CertificatesSpec(IntervalMethod interval, boolean sticky, int contrasts) {
  /** The defaults of a spec without the section. */
  public static final CertificatesSpec DEFAULT =
      new CertificatesSpec(IntervalMethod.CONTRAST, true, 256);

  /** Names the method that bounds an effect. */
  public enum IntervalMethod implements Word {
    /** An interval of its own for each contrast, cut by the ellipsoid. */
    CONTRAST,
    /** The ellipsoid of all coefficients. */
    ELLIPSOID,
    /** Pairs of people of a logistic policy who are alike but for the attribute. */
    PAIRS
  }
}
