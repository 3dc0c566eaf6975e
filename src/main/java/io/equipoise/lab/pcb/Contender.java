package io.equipoise.lab.pcb;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of Figure 4: a disjoint LinUCB with causal bounds, or warmed by an estimate, or neither.
 *
 * @param policy its name in reports
 * @param warmth what it has learned before the first round: each logged row once, with the estimate
 *     in place of its reward
 */
record Contender(String policy, CausalBounds bounds, @Nullable PointEstimates warmth) {
  static final Contender LINUCB = new Contender("linucb", CausalBounds.NONE, null);
  static final Contender BIASED = warm("linucb-biased", PointEstimates.BIASED);
  static final Contender BIASED_ADJUSTED =
      warm("linucb-biased-adjusted", PointEstimates.BIASED_ADJUSTED);
  static final Contender CP = warm("linucb-cp", PointEstimates.CP);

  static final List<Contender> ALL =
      List.of(
          LINUCB,
          pcb(CausalBounds.TABLE1),
          pcb(CausalBounds.SOUND),
          pcb(CausalBounds.SOUND_POOLED),
          pcb(CausalBounds.SOUND_POOLED_CI),
          BIASED,
          BIASED_ADJUSTED,
          CP);

  static Contender pcb(CausalBounds bounds) {
    return new Contender("linucb-pcb", bounds, null);
  }

  private static Contender warm(String policy, PointEstimates warmth) {
    return new Contender(policy, CausalBounds.NONE, warmth);
  }

  /** Returns the upper ends by place; Algorithm 4 does not use the lower ones. */
  double[] upper(LoggedRounds loggedRounds) {
    double[] upper = new double[PcbPlace.PLACES];
    Arrays.fill(upper, Double.POSITIVE_INFINITY);
    if (bounds != CausalBounds.NONE) {
      List<Interval> intervals = bounds.of(loggedRounds);
      Arrays.setAll(upper, place -> intervals.get(place).upper());
    }
    return upper;
  }
}
