package io.equipoise.lab.bench;

import io.equipoise.lab.LabSpec;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.ConfidenceKind;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.simulation.EmailCampaign;
import io.equipoise.simulation.Environment;
import io.equipoise.simulation.Round;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Provides rounds of a segment whose decisions are audited, drawn in advance and repeated
 * cyclically: people and each arm's mediators and reward of 0 or 1. The spec bounds effects in one
 * of two ways.
 */
final class AuditedWorkload {
  /** How the effects of a policy with a model of coefficients are bounded. */
  static final List<String> INTERVALS = List.of("contrast", "ellipsoid");

  /** How those of a policy over cells are bounded. */
  static final List<String> CONFIDENCES = List.of("joint", "sub-gaussian");

  private static final String CELLS = "v: f-ucb, 36 arms of Email Campaign";
  private static final List<String> NAMES =
      List.of(
          "iv: hard, 3 models x 24, 3 contrasts",
          "iv: screen, 3 models x 24, 3 contrasts",
          "iv: hard, 1 model x 24, 3 contrasts",
          CELLS);
  private static final double[] MEANS = {.5, .55, .45};
  private static final double[] EFFECTS = {.01, .05, .2};
  private static final int ROUNDS = 1_000;
  private static final long SEED = 1;

  final SegmentSpec spec;
  final Profile[] people = new Profile[ROUNDS];
  final int[][][] mediators = new int[ROUNDS][][];
  final double[][] rewards = new double[ROUNDS][];

  private AuditedWorkload(SegmentSpec spec) {
    this.spec = spec;
  }

  static List<String> names(String prefix) {
    return NAMES.stream().filter(name -> name.startsWith(prefix)).toList();
  }

  /** Returns the ways to bound effects that are compared, first the one whose cost is asked for. */
  static List<String> bounds(String name) {
    return name.equals(CELLS) ? CONFIDENCES : INTERVALS;
  }

  /**
   * Draws the workload of a name.
   *
   * @param bound one of {@link #bounds}
   */
  static AuditedWorkload named(String name, String bound) {
    return name.equals(CELLS) ? cells(bound) : loans(name, bound);
  }

  private static AuditedWorkload cells(String confidence) {
    Environment environment = EmailCampaign.environment();
    ConfidenceKind kind =
        confidence.equals("joint") ? ConfidenceKind.JOINT : ConfidenceKind.SUB_GAUSSIAN;
    AuditedWorkload workload =
        new AuditedWorkload(LabSpec.email().ofBernoulli(TabularPolicyName.F_UCB, 0.3, kind));
    SplittableRandom random = new SplittableRandom(SEED);
    List<Round> rounds = environment.rounds(ROUNDS, SEED);
    int arms = workload.spec.arms().size();
    for (int round = 0; round < ROUNDS; round++) {
      workload.people[round] = Profile.of(rounds.get(round).context());
      workload.mediators[round] = new int[arms][];
      workload.rewards[round] = new double[arms];
      for (int arm = 0; arm < arms; arm++) {
        Environment.SimulatedOutcome answer = environment.answer(rounds.get(round), arm);
        workload.mediators[round][arm] = answer.mediators();
        workload.rewards[round][arm] = random.nextDouble() < answer.reward() ? 1 : 0;
      }
    }
    return workload;
  }

  private static AuditedWorkload loans(String name, String interval) {
    AuditedWorkload workload = new AuditedWorkload(SpecParser.parse(text(name, interval)));
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      int gender = random.nextInt(2);
      int age = random.nextInt(3);
      workload.people[round] =
          Profile.of(
              gender,
              age,
              random.nextInt(3),
              random.nextInt(2),
              random.nextInt(4),
              random.nextInt(9));
      workload.mediators[round] = new int[MEANS.length][0];
      workload.rewards[round] = new double[MEANS.length];
      for (int arm = 0; arm < MEANS.length; arm++) {
        double p = MEANS[arm] + .04 * (age - 1) + EFFECTS[arm] * (gender - .5);
        workload.rewards[round][arm] = random.nextDouble() < p ? 1 : 0;
      }
    }
    return workload;
  }

  private static String text(String name, String interval) {
    boolean isShared = name.contains("1 model");
    return """
           name: loans
           version: 1
           segments: default
           seed: 1
           variables:
             gender: {role: sensitive, levels: [f, m]}
             age: {role: context, levels: [young, middle, old]}
             income: {role: context, levels: [low, mid, high]}
             region: {role: context, levels: [north, south]}
             channel: {role: context, levels: [app, branch, partner, phone]}
             history: {role: context, levels: [h0, h1, h2, h3, h4, h5, h6, h7, h8]}
             offer: {role: action, levels: [small, large, none]}
             repaid: {role: reward}
           graph: "dag { {gender age income region channel history offer} -> repaid }"
           arms: all
           reward: {range: [0, 1]}
           policy:
             name: linucb
             model: %s
             alpha: 0.45
             constraint: %s
             features: [intercept, one-hot: age, one-hot: income, one-hot: region,
                        one-hot: channel, one-hot: gender, %s]
           fairness: {tau: 0.02, delta: 0.05, certificates: {interval: %s}}
           join: {reward-window: 60s}
           """
        .formatted(
            isShared ? "shared" : "disjoint",
            name.contains("hard") ? "hard" : "screen",
            isShared
                ? "one-hot: offer, product: [one-hot: gender, one-hot: offer]"
                : "one-hot: history",
            interval);
  }
}
