package io.equipoise.segment.state;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts how often each arm was decided recently, by its position: every decision counts a
 * thousandth less than the next one. Mutable; {@link #copy} is deep.
 */
public final class RecentDecisions {
  /** Decisions after which one counts for 1/e. */
  private static final double MEMORY = 1_000;

  private final List<Double> weights;
  private final List<Long> at;
  private long decisions;

  /** Creates counts without decisions. */
  public RecentDecisions() {
    this(0, new ArrayList<>(), new ArrayList<>());
  }

  /**
   * Takes over stored parts.
   *
   * @param decisions of all arms
   * @param weights by position, the weight of its decisions when the last of them was made
   * @param at by position, the number of that decision
   */
  public RecentDecisions(long decisions, List<Double> weights, List<Long> at) {
    this.decisions = decisions;
    this.weights = weights;
    this.at = at;
  }

  /** Counts a decision for an arm. */
  void decided(int position) {
    while (weights.size() <= position) {
      weights.add(0.0);
      at.add(0L);
    }
    decisions++;
    weights.set(position, weight(position) + 1);
    at.set(position, decisions);
  }

  /** Returns the share of the latest decisions that an arm has; 0 before the first. */
  public double share(int position) {
    if (position < 0 || position >= weights.size()) {
      return 0;
    }
    double all = (1 - kept(decisions)) / (1 - kept(1));
    return weight(position) / all;
  }

  private double weight(int position) {
    return weights.get(position) * kept(decisions - at.get(position));
  }

  private static double kept(long later) {
    return StrictMath.exp(-later / MEMORY);
  }

  /** Returns the number of decisions of all arms. */
  public long decisions() {
    return decisions;
  }

  /** Returns the weights by position; not to be changed. */
  public List<Double> weights() {
    return weights;
  }

  /** Returns the numbers of the last decisions by position; not to be changed. */
  public List<Long> at() {
    return at;
  }

  RecentDecisions copy() {
    return new RecentDecisions(decisions, new ArrayList<>(weights), new ArrayList<>(at));
  }
}
