package io.equipoise.tools;

import io.equipoise.lab.EmailCampaign;
import io.equipoise.lab.Environment;
import io.equipoise.lab.Round;
import io.equipoise.lab.StructuralModel;
import io.equipoise.policy.logistic.LogisticSpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The Email Campaign in the words of its spec: the people of every round, what an arm brings, and
 * the truth. Every segment meets the same people with the same chance.
 */
public final class CampaignTraffic {
  private static final String MODEL = "/lab/email-campaign.json";

  private final StructuralModel model = StructuralModel.resource(MODEL);
  private final Environment environment = new EmailCampaign().environment();
  private final List<Round> rounds;
  private final Map<String, Integer> arms = new HashMap<>();

  /**
   * Draws the rounds.
   *
   * @param spec any of the campaign's specs: they have the arms in common
   */
  public CampaignTraffic(SegmentSpec spec, int rounds, long seed) {
    this.rounds = environment.rounds(rounds, seed);
    for (int arm = 0; arm < spec.arms().size(); arm++) {
      arms.put(spec.arms().get(arm).id(), arm);
    }
  }

  /** Returns how many rounds were drawn. */
  public int rounds() {
    return rounds.size();
  }

  /** Returns what is known of the person of a round; after the last round the people come again. */
  public Map<String, Object> attributes(long round) {
    return labels("X", round(round).context());
  }

  /** What came of an arm. */
  public record Answer(Map<String, Object> mediators, double reward) {}

  /** Returns what an arm brings in a round. */
  public Answer answer(long round, String arm) {
    Environment.Answer answer = environment.answer(round(round), index(arm));
    return new Answer(labels("I", answer.mediators()), answer.reward());
  }

  /** Says whether a spec's policy learns from rewards of 0 and 1 only. */
  public static boolean countsClicks(SegmentSpec spec) {
    return spec.policy().family() instanceof LogisticSpec;
  }

  /**
   * Returns what an arm brings in a round where only whether the person clicked is known: 1 or 0,
   * with the mean that the reward has given the mediators.
   *
   * @param luck in [0, 1), uniform and independent of the round
   */
  public Answer click(long round, String arm, double luck) {
    Answer answer = answer(round, arm);
    double mean = answer.reward() - round(round).noise();
    return new Answer(answer.mediators(), luck < mean ? 1 : 0);
  }

  /** Returns how much the true mean of the best of all arms exceeds that of an arm. */
  public double regret(long round, String arm) {
    double[] means = environment.means(round(round).context());
    double best = Double.NEGATIVE_INFINITY;
    for (double mean : means) {
      best = Math.max(best, mean);
    }
    return best - means[index(arm)];
  }

  /** Returns how far the true mean moves with the person's gender, the arm being the same. */
  public double effect(long round, String arm) {
    return Math.abs(environment.effect(round(round).context(), index(arm)));
  }

  private Round round(long round) {
    return rounds.get((int) (round % rounds.size()));
  }

  private int index(String arm) {
    Integer index = arms.get(arm);
    if (index == null) {
      throw new IllegalStateException("the job decided an arm that no spec has: " + arm);
    }
    return index;
  }

  private Map<String, Object> labels(String role, int[] levels) {
    List<String> names = model.role(role);
    Map<String, Object> labels = new HashMap<>();
    for (int i = 0; i < levels.length; i++) {
      labels.put(names.get(i), model.node(names.get(i)).labels().get(levels[i]));
    }
    return labels;
  }
}
