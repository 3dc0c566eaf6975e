package io.equipoise.lab.campaign;

import io.equipoise.lab.campaign.Node.Kind;
import java.util.Map;

/**
 * Describes a trial: a world, the part of its spec besides variables, graph and tables, and the
 * delivery of its rewards.
 *
 * @param policy the spec's policy, in flow style
 * @param tables rows of counts of mediators by their name; the others are known exactly
 * @param reward the spec's reward, in flow style
 * @param confidence the confidence sequence of cells; empty for the default
 */
record CampaignTrial(
    CampaignWorld world,
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

  /** Rewards of 0 and 1; a missing reward counts as 0. */
  static final String SILENCE_MEANS_0 = "{range: [0, 1], default: {value: 0}}";

  private static final int PEOPLE = 6;
  private static final double LEAST_TAU = 0.02;

  /** Selects the effect that the audits of a spec compare. */
  enum Effect {
    /** Followers of the attribute follow it. */
    TOTAL,
    /** All other variables of the person stay fixed. */
    DIRECT,
    /** The total effect on average over people, at the end of a best-arm experiment. */
    TERMINAL
  }

  /** Selects the delivery of rewards to the segment. */
  enum Rewards {
    /** Rewards have a delay; some are lost, some too late. */
    DELAYED,
    /** Successes have a delay; no reward until the window ends means 0. */
    SUCCESSES
  }

  private CampaignTrial withTau(double other) {
    return new CampaignTrial(
        world, policy, tables, reward, confidence, intersections, other, effect, rewards);
  }

  /**
   * Returns the trial with a threshold of 0.7 to 1.3 times the greatest of some people's effects.
   * There verdicts are most likely to be wrong: some effects are inside, some outside.
   */
  CampaignTrial nearEffects(Chance chance) {
    ExactEffect truth = new ExactEffect(world, effect == Effect.DIRECT);
    double most = 0;
    for (int i = 0; i < PEOPLE; i++) {
      int[] person = world.person(chance);
      int[] disclosed = person.clone();
      for (int place = 0; place < disclosed.length; place++) {
        boolean isFeature = world.node(place).isFeature();
        disclosed[place] = isFeature ? person[place] : ExactEffect.UNDISCLOSED;
      }
      Node attribute = chance.oneOf(world.ofKind(Kind.SENSITIVE));
      int place = world.place(attribute.name());
      int other = (person[place] + 1) % attribute.levels();
      int arm = chance.below(world.arms());
      double[] effects =
          truth.of(disclosed, new int[] {place}, new int[] {person[place]}, new int[] {other}, arm);
      most = Math.max(most, Math.max(Math.abs(effects[0]), Math.abs(effects[1])));
    }
    return withTau(Math.max(LEAST_TAU, Chance.rounded(most * chance.uniform(0.7, 1.3))));
  }
}
