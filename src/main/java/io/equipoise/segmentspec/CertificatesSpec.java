package io.equipoise.segmentspec;

/**
 * How effects of policies with a model of coefficients are bounded: {@code fairness.certificates}.
 *
 * @param sticky whether an interval never grows again
 * @param contrasts the most effects of a segment that have an interval of their own; the ellipsoid
 *     bounds the rest
 */
public record CertificatesSpec(Interval interval, boolean sticky, int contrasts) {
  /** What holds where the spec says nothing. */
  public static final CertificatesSpec DEFAULT = new CertificatesSpec(Interval.CONTRAST, true, 256);

  /** The most contrasts that a spec may ask for: each costs time at every reward. */
  static final int MOST_CONTRASTS = 4096;

  /** What bounds an effect. */
  public enum Interval {
    /** An interval of its own for each contrast, cut by the ellipsoid. */
    CONTRAST("contrast"),
    /** The ellipsoid of all coefficients. */
    ELLIPSOID("ellipsoid");

    private final String wire;

    Interval(String wire) {
      this.wire = wire;
    }

    /** Returns the word in specs. */
    public String wire() {
      return wire;
    }
  }
}
