package io.equipoise.console.state;

/** Counts the decisions with an arm, and sums the rewards that were learned of it. */
public final class ArmHistory {
  final Ring decisions = new Ring();
  final MomentRing rewards = new MomentRing();

  public long decisions(long bucket) {
    return (long) decisions.at(bucket);
  }

  /** Returns the decisions of the window that ends with a bucket. */
  public long total(long last) {
    return (long) decisions.total(last);
  }

  /** Returns the rewards of the window that ends with a bucket. */
  public SampleMoments rewards(long last) {
    return rewards.total(last);
  }
}
