package io.equipoise.tools;

import io.equipoise.policy.logistic.LogisticSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.simulation.EmailCampaign;
import io.equipoise.simulation.Environment;
import io.equipoise.simulation.Round;
import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Node;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Generates the Email Campaign in the variables of its spec: the people of all rounds, the reward
 * of each arm, and the true means. Every segment receives the same people with the same random
 * draws.
 */
public final class CampaignTraffic {
  private final StructuralModel model = EmailCampaign.model();
  private final Environment environment = EmailCampaign.environment();
  private final List<Round> rounds;
  private final Map<String, Integer> arms = new HashMap<>();

  /**
   * Draws the rounds.
   *
   * @param spec any spec of the campaign: all have the same arms
   */
  public CampaignTraffic(SegmentSpec spec, int rounds, long seed) {
    this.rounds = environment.rounds(rounds, seed);
    for (int arm = 0; arm < spec.arms().size(); arm++) {
      arms.put(spec.arms().get(arm).id(), arm);
    }
  }

  /** Returns the number of drawn rounds. */
  public int rounds() {
    return rounds.size();
  }

  /** Returns the context of a round's person; after the last round the people repeat. */
  public Map<String, Object> attributes(long round) {
    return labels(model.features(), round(round).context());
  }

  /** Holds the mediators and the reward that follow from an arm. */
  public record CampaignOutcome(Map<String, Object> mediators, double reward) {}

  /** Returns the result of an arm in a round. */
  public CampaignOutcome answer(long round, String arm) {
    Environment.SimulatedOutcome answer = environment.answer(round(round), index(arm));
    return new CampaignOutcome(
        labels(model.of(Role.MEDIATOR), answer.mediators()), answer.reward());
  }

  /** Returns whether a spec's policy learns only from rewards of 0 and 1. */
  public static boolean countsClicks(SegmentSpec spec) {
    return spec.policy().family() instanceof LogisticSpec;
  }

  /**
   * Returns a binary reward of an arm in a round: 1 with the mean of the reward given the
   * mediators.
   *
   * @param luck in [0, 1), uniform and independent of the round
   */
  public CampaignOutcome click(long round, String arm, double luck) {
    CampaignOutcome answer = answer(round, arm);
    double mean = answer.reward() - round(round).noise();
    return new CampaignOutcome(answer.mediators(), luck < mean ? 1 : 0);
  }

  /** Returns the regret of an arm: the true mean of the best arm minus that of the arm. */
  public double regret(long round, String arm) {
    double[] means = environment.means(round(round).context());
    double best = Double.NEGATIVE_INFINITY;
    for (double mean : means) {
      best = Math.max(best, mean);
    }
    return best - means[index(arm)];
  }

  /** Returns the true effect of the person's gender on the mean reward of an arm. */
  public double effect(long round, String arm) {
    return Math.abs(environment.effect(round(round).context(), index(arm)));
  }

  private Round round(long round) {
    return rounds.get((int) (round % rounds.size()));
  }

  private int index(String arm) {
    Integer index = arms.get(arm);
    if (index == null) {
      throw new IllegalStateException("the job chose arm " + arm + ", which no spec defines");
    }
    return index;
  }

  private static Map<String, Object> labels(List<Node> nodes, int[] levels) {
    Map<String, Object> labels = new HashMap<>();
    for (int i = 0; i < levels.length; i++) {
      labels.put(nodes.get(i).name(), nodes.get(i).levels().get(levels[i]));
    }
    return labels;
  }
}
