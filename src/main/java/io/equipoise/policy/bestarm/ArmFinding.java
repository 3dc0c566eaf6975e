package io.equipoise.policy.bestarm;

/**
 * Records the estimates of one arm when a phase closed.
 *
 * @param reward Yhat; NaN like the others where no usable sample came
 * @param forward zeta^{s,s'}, from samples with S = s'
 * @param backward zeta^{s',s}, from samples with S = s
 * @param rewardMass Z_k, the normalizer of Yhat
 * @param forwardMass O_k^{s,s'}
 * @param backwardMass O_k^{s',s}
 * @param rewardClip 2 l M_k,incumbent: the greatest weight of an incumbent's sample that counts
 * @param forwardClip the same of zeta^{s,s'}
 * @param backwardClip the same of zeta^{s',s}
 * @param clipped the greatest share, over the three, of weighted reward that clips left out
 * @param effectLower lower end of the interval of zeta^{s,s'} that holds at the design's delta for
 *     all arms and phases at once; the estimates above come without one
 * @param effectUpper its upper end; below the lower one where samples refute the supplied tables
 */
public record ArmFinding(
    int arm,
    double reward,
    double forward,
    double backward,
    double rewardMass,
    double forwardMass,
    double backwardMass,
    double rewardClip,
    double forwardClip,
    double backwardClip,
    double clipped,
    double effectLower,
    double effectUpper) {
  /**
   * Returns zeta^{s,s'} + zeta^{s',s}, which is 0 but for noise: S is a root. A drift says that the
   * supplied P(ch S | S) are wrong.
   */
  public double selfCheck() {
    return forward + backward;
  }

  EffectInterval effect() {
    return new EffectInterval(effectLower, effectUpper);
  }
}
