package io.equipoise.lab.campaign;

import java.util.Map;

/**
 * How a world is served: what the spec says besides variables, graph and tables, and how rewards
 * come.
 *
 * @param policy the spec's policy, in flow style
 * @param tables rows of counts of mediators by their name; the others are known exactly
 * @param reward the spec's reward, in flow style
 * @param confidence the confidence sequence of cells
 */
record CampaignSetting(
    String policy,
    Map<String, int[][]> tables,
    String reward,
    String confidence,
    boolean intersections,
    double tau,
    Effect effect,
    Rewards rewards) {

  /** Rewards of 0 and 1. */
  static final String BINARY = "{range: [0, 1]}";

  /** The same, and who stays silent counts as 0. */
  static final String SILENCE_MEANS_0 = "{range: [0, 1], default: {value: 0}}";

  /** What the audits of a spec compare. */
  enum Effect {
    /** Followers of the attribute follow it. */
    TOTAL,
    /** Everything else of the person is held. */
    DIRECT,
    /** The total effect on average over people, at the end of a best-arm experiment. */
    TERMINAL
  }

  /** How rewards come back. */
  enum Rewards {
    /** With a delay; some are lost, some too late. */
    DELAYED,
    /** Successes come with a delay; silence until the window ends means 0. */
    SUCCESSES
  }

  CampaignSetting withTau(double other) {
    return new CampaignSetting(
        policy, tables, reward, confidence, intersections, other, effect, rewards);
  }
}
