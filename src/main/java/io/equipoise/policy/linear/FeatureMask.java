package io.equipoise.policy.linear;

import java.util.BitSet;
import java.util.List;

/**
 * Features that a policy must not see: the Naive baseline of Fair-LinUCB, section 5.2.2, which
 * drops the sensitive attribute and what is correlated with it. What is dropped counts as zero, so
 * the dimension stays. Immutable.
 */
public final class FeatureMask {
  private final int dimension;
  private final BitSet dropped;

  private FeatureMask(int dimension, BitSet dropped) {
    this.dimension = dimension;
    this.dropped = dropped;
  }

  /** Drops these features. */
  public static FeatureMask dropping(int dimension, List<Integer> features) {
    BitSet dropped = new BitSet(dimension);
    for (int feature : features) {
      if (feature < 0 || feature >= dimension) {
        throw new IllegalArgumentException("feature " + feature + " of " + dimension);
      }
      dropped.set(feature);
    }
    return new FeatureMask(dimension, dropped);
  }

  public int dimension() {
    return dimension;
  }

  /** Says whether a feature is dropped. */
  public boolean isDropped(int feature) {
    return dropped.get(feature);
  }

  /** Returns the dropped features in ascending order. */
  public List<Integer> dropped() {
    return dropped.stream().boxed().toList();
  }
}
