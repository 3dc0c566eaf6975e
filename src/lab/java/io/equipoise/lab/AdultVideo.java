package io.equipoise.lab;

import io.equipoise.lab.AdultCommand.Edge;
import io.equipoise.policy.tabular.PerRoundConfidence;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.simulation.Environment;
import io.equipoise.simulation.NetworkModel;
import io.equipoise.simulation.SplitMix;
import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;

/**
 * Simulates Adult-Video, Huang et al. 2022, Table 2: people from UCI Adult, videos from a crawl.
 * The graph is a substitute without an edge from sex to income, so that no arm has an effect of
 * sex.
 *
 * <p>A trial draws {@value #ARMS_DRAWN} videos. Videos that agree in all attributes are one arm:
 * they share every cell, and the lowest index wins ties.
 */
final class AdultVideo {
  /**
   * The sub-Gaussian scale of a reward given its cell, which contains all parents of the reward.
   */
  static final double FAIRNESS_SCALE = 0.1;

  private static final double NOISE = 0.1;
  private static final int ARMS_DRAWN = 100;

  private final StructuralModel model;
  private final Environment environment;
  private final Environment videos;
  private final LabSpec spec;

  /** Draws the arms of one trial. */
  AdultVideo(StructuralModel model, SplitMix random) {
    this.model = model;
    List<int[]> arms = new ArrayList<>();
    List<int[]> every = new ArrayList<>();
    for (int drawn = 0; drawn < ARMS_DRAWN; drawn++) {
      int[] arm = arm(model, random);
      every.add(arm);
      if (arms.stream().noneMatch(known -> Arrays.equals(known, arm))) {
        arms.add(arm);
      }
    }
    environment = new Environment(model, arms);
    videos = new Environment(model, every);
    spec = new LabSpec(model, arms, FAIRNESS_SCALE);
  }

  static StructuralModel model(Edge edge) {
    NetworkModel model =
        new NetworkModel(
            List.of("age", "sex", "race", "income"),
            "sex",
            List.of("length", "ratings", "views", "comments"),
            List.of(),
            List.of("age", "income", "ratings", "views"),
            0,
            5,
            NOISE);
    String path = "/lab/adult-video.bif";
    return edge == Edge.NONE ? model.read(path) : model.read("/lab/adult-video-edge.bif", path);
  }

  private static int[] arm(StructuralModel model, SplitMix random) {
    int[] levels = new int[model.nodes().size()];
    model.draw(levels, random::nextDouble, Role.ACTION);
    return model.of(Role.ACTION).stream().mapToInt(node -> levels[node.place()]).toArray();
  }

  Environment environment() {
    return environment;
  }

  /** Returns the same people with an arm for each video, for models that distinguish all videos. */
  Environment videos() {
    return videos;
  }

  /** Returns the player of a policy over {@link #environment}. */
  Player player(PolicyName policy, double tau) {
    if (policy == TabularPolicyName.F_UCB && environment.hasFollower()) {
      DoubleSummaryStatistics range = model.meanRange();
      PerRoundConfidence confidence =
          new PerRoundConfidence(range.getMin(), range.getMax(), FAIRNESS_SCALE);
      return new JointPlayer(model, environment, tau, LabSpec.INDEX_SCALE, confidence);
    }
    return new Player.Tabular(spec.of(policy, tau));
  }
}
