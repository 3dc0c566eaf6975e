package io.equipoise.lab.campaign;

import java.util.Map;

/**
 * How a world is served: what the spec says besides variables, graph and tables, and how rewards
 * come.
 *
 * @param policy the spec's policy, in flow style
 * @param tables rows of counts of mediators by their name; the others are known exactly
 * @param reward the spec's reward, in flow style
 * @param join more keys of the spec's join
 * @param confidence the confidence sequence of cells
 * @param isDirect whether audits speak of the direct effect
 */
record Setting(
    String policy,
    Map<String, int[][]> tables,
    String reward,
    String join,
    String confidence,
    boolean intersections,
    double tau,
    boolean isDirect,
    Rewards rewards) {

  /** How rewards come back. */
  enum Rewards {
    /** With a delay; some are lost, some too late. */
    DELAYED,
    /** Successes come with a delay; silence until the window ends means 0. */
    SUCCESSES
  }

  Setting withTau(double other) {
    return new Setting(
        policy, tables, reward, join, confidence, intersections, other, isDirect, rewards);
  }
}
