package io.equipoise.lab.campaign;

import io.equipoise.lab.ModelText;
import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Node;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

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
    StructuralModel world,
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

  /** Error probability of the certificates. */
  static final double DELTA = 0.05;

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

  /** Returns the number of arms of a world, which has one action. */
  static int arms(StructuralModel world) {
    return world.of(Role.ACTION).get(0).levels().size();
  }

  String spec() {
    List<int[]> arms = IntStream.range(0, arms(world)).mapToObj(arm -> new int[] {arm}).toList();
    boolean isPersonal = effect != Effect.TERMINAL;
    int window =
        rewards == Rewards.SUCCESSES ? WorldPlay.LONG_WINDOW_SECONDS : WorldPlay.WINDOW_SECONDS;
    return "name: w\nseed: 7\n"
        + new ModelText(world, arms, "a", isPersonal, tables).text()
        + """
          reward: %s
          policy: %s
          fairness: {tau: %s, delta: %s%s%s}
          join: {early-reward-timeout: 30s, dedup-window: %ds, reward-window: %ds, fallback: a0}
          metrics: {every: 1000}
          on-incompatible-change: reject
          """
            .formatted(
                reward,
                policy,
                ModelText.number(tau),
                ModelText.number(DELTA),
                confidence.isEmpty() ? "" : ", confidence: " + confidence,
                intersections ? ", intersections: true" : "",
                window,
                window);
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
      int[] person = world.person(chance::unit);
      int[] disclosed = person.clone();
      for (int place = 0; place < disclosed.length; place++) {
        boolean isFeature = world.node(place).isFeature();
        disclosed[place] = isFeature ? person[place] : ExactEffect.UNDISCLOSED;
      }
      Node attribute = chance.oneOf(world.of(Role.SENSITIVE));
      int place = attribute.place();
      int other = (person[place] + 1) % attribute.levels().size();
      int arm = chance.below(arms(world));
      double[] effects =
          truth.of(disclosed, new int[] {place}, new int[] {person[place]}, new int[] {other}, arm);
      most = Math.max(most, Math.max(Math.abs(effects[0]), Math.abs(effects[1])));
    }
    return withTau(Math.max(LEAST_TAU, Chance.rounded(most * chance.uniform(0.7, 1.3))));
  }
}
