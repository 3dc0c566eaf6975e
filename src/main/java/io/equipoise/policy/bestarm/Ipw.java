package io.equipoise.policy.bestarm;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Carries the clipped estimates by arm; NaN where no usable sample came (Z = 0).
 *
 * @param value the estimate
 * @param normalizer Z_k, the sum of n_j / Delta_kj over the samples that arrived
 * @param clipped the share of the weighted rewards' absolute mass that the clip left out
 */
@SuppressWarnings("ArrayRecordComponent") // handed from sums to estimates, compared by nobody
record Ipw(double[] value, double[] normalizer, double[] clipped) {
  static Ipw blank(int arms) {
    double[] value = new double[arms];
    double[] clipped = new double[arms];
    Arrays.fill(value, Double.NaN);
    Arrays.fill(clipped, Double.NaN);
    return new Ipw(value, new double[arms], clipped);
  }

  void put(int arm, double weighted, double normal, double kept, double cut) {
    value[arm] = normal > 0 ? weighted / normal : Double.NaN;
    normalizer[arm] = normal;
    clipped[arm] = kept + cut > 0 ? cut / (kept + cut) : 0;
  }

  /** Returns a mixture, arm by arm; the normalizer is the lesser one. */
  static Ipw mix(Ipw left, double leftShare, Ipw right, double rightShare, BitSet arms) {
    Ipw mixed = blank(left.value.length);
    arms.stream()
        .forEach(
            k -> {
              mixed.value[k] = leftShare * left.value[k] + rightShare * right.value[k];
              mixed.normalizer[k] = Math.min(left.normalizer[k], right.normalizer[k]);
              mixed.clipped[k] = Math.max(left.clipped[k], right.clipped[k]);
            });
    return mixed;
  }
}
