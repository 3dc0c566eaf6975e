package io.equipoise.fairness;

/**
 * Holds the effect of setting one sensitive attribute to another value while the arm stays the
 * same: E[R(s')|x] - E[R(s)|x] (Huang et al. 2022, eq. 9), with an interval.
 *
 * @param attribute position of the attribute in the context vector; of attributes that are changed
 *     together, the number of their set after all positions
 * @param factual level index, joint for a set; differs from the context's only where that is
 *     undisclosed
 * @param counterfactual level index of s'
 * @param identified whether eq. 8 applies; else the interval is that of Theorem 2
 * @param priorShare share of upper - lower that comes from cells without an observation, in [0, 1]
 */
public record Effect(
    int attribute,
    int factual,
    int counterfactual,
    EffectKind kind,
    boolean identified,
    double estimate,
    double lower,
    double upper,
    double priorShare) {

  public Effect {
    if (!(lower <= upper && priorShare >= 0 && priorShare <= 1)) {
      throw new IllegalArgumentException(
          "effect in [" + lower + ", " + upper + "] with prior share " + priorShare);
    }
  }

  /** Returns the largest size that the interval allows the effect to have. */
  public double worst() {
    return Math.max(Math.abs(lower), Math.abs(upper));
  }
}
