package io.equipoise.policy.linear;

import org.jspecify.annotations.Nullable;

/** Reads a {@link LinearIndex} once, so that a round need not. */
final class IndexPart {
  private final LinearIndex inner;
  private final boolean isClipped;

  IndexPart(LinearIndex index) {
    LinearIndex part = index;
    boolean clipped = false;
    while (part instanceof LinearIndex.Clipped outer) {
      part = outer.inner();
      clipped = true;
    }
    inner = part;
    isClipped = clipped;
  }

  LinearIndex.@Nullable Posterior posterior() {
    return inner instanceof LinearIndex.Posterior posterior ? posterior : null;
  }

  /** Returns the radius of a UCB index, else null. */
  @Nullable Radius radius() {
    return inner instanceof LinearIndex.Ucb ucb ? ucb.radius() : null;
  }

  /** Says whether rewards are counted, for their deviation. */
  boolean countsRewards() {
    return inner instanceof LinearIndex.Ucb ucb && ucb.range() != null;
  }

  /** Returns the factor of the radius in this decision. */
  double scale(LinearRound out) {
    return inner instanceof LinearIndex.Ucb ucb ? ucb.scale(out) : 1;
  }

  boolean needsWidth() {
    return !(inner instanceof LinearIndex.Mean);
  }

  boolean isClipped() {
    return isClipped;
  }

  /** Fills the index from means and widths. */
  void fill(LinearRound out) {
    boolean hasRadius = inner instanceof LinearIndex.Ucb;
    for (int place = 0; place < out.size; place++) {
      double bonus = hasRadius ? out.beta[place] * out.width[place] : 0;
      out.index[place] = out.mean[place] + bonus;
    }
    clip(out);
  }

  void clip(LinearRound out) {
    Candidates candidates = out.candidates();
    for (int place = 0; isClipped && place < out.size; place++) {
      double index = Math.max(candidates.lower(place), out.index[place]);
      out.index[place] = Math.min(candidates.upper(place), index);
    }
  }
}
