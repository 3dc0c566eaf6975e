package io.equipoise.policy.linear;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.Tier;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.TestSpecs;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The loan segment that a new user would write: three offers, four features, rewards of 0 and 1
 * near .55. One offer is worth .25 more to one gender; one in ten people does not disclose it.
 */
class NewcomerWorldTest {
  private static final int[] LEVELS = {3, 3, 2, 3};
  private static final int UNDISCLOSED = 2;
  private static final double[] MEANS = {.5, .55, .45};

  private static String text(String explore, String fairness) {
    return """
           name: loans
           version: 1
           segments: default
           seed: 1
           variables:
             gender: {role: sensitive, levels: [f, m], missing: level}
             age: {role: context, levels: [young, middle, old]}
             income: {role: context, levels: [low, mid, high]}
             region: {role: context, levels: [north, south]}
             offer: {role: action, levels: [small, large, none]}
             repaid: {role: reward}
           graph: "dag { {gender age income region offer} -> repaid }"
           arms: all
           reward: {range: [0, 1]}
           policy:
             name: linucb
             model: shared
             alpha: 0.45
             constraint: hard
             features: [intercept, one-hot: age, one-hot: income, one-hot: region,
                        one-hot: gender, one-hot: offer,
                        product: [one-hot: gender, one-hot: offer]]
           %s
           fairness: {tau: 0.1, delta: 0.05%s}
           join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}
           metrics: {every: 1000}
           on-incompatible-change: reject
           """
        .formatted(explore, fairness);
  }

  /** What a run comes to. */
  private static final class Run {
    private final Policy bandit;
    private final MemoryModelState blocks = new MemoryModelState();
    private final SplittableRandom random;
    private final int seed;
    private final double[] effects;
    private int first;
    private int wronglyCertified;
    private int certified;
    private int unfairlyPlayed;
    private final int[] played = new int[MEANS.length];

    Run(String text, int seed, double... effects) {
      bandit = TestSpecs.compiled(text).bandit();
      random = new SplittableRandom(seed);
      this.seed = seed;
      this.effects = effects;
    }

    Run play(int decisions) {
      List<Candidate> offers =
          List.of(
              new Candidate("offer=small", 0, Profile.of(0)),
              new Candidate("offer=large", 1, Profile.of(1)),
              new Candidate("offer=none", 2, Profile.of(2)));
      for (int t = 1; t <= decisions; t++) {
        int real = random.nextInt(2);
        int age = random.nextInt(LEVELS[0]);
        int income = random.nextInt(LEVELS[1]);
        int region = random.nextInt(LEVELS[2]);
        int told = random.nextInt(10) == 0 ? UNDISCLOSED : real;
        Profile person = Profile.of(told, age, income, region);
        Request request = new Request(person, offers, true, MEANS.length);
        SeededRandom draw = new SeededRandom(seed, "loans", "d" + t);
        AuditedChoice audited = bandit.decide(blocks, request, t, draw, ClippedIndex.NONE);
        int arm = audited.choice().arm();
        boolean isCertified =
            AuditFinding.gravest(audited.findings()) == AuditVerdict.CERTIFIED_FAIR;
        first = first == 0 && isCertified ? t : first;
        certified += isCertified ? 1 : 0;
        wronglyCertified += isCertified && effects[arm] > .1 ? 1 : 0;
        unfairlyPlayed += effects[arm] > .1 ? 1 : 0;
        played[arm]++;
        double p = MEANS[arm] + .04 * (age - 1) + .03 * (income - 1) + .02 * region;
        p += effects[arm] * (real - .5);
        double reward = random.nextDouble() < p ? 1 : 0;
        bandit.learn(
            blocks,
            new Experience(
                person.levels(), bandit.inputs(request, arm), arm, arm, new int[0], reward),
            t);
      }
      return this;
    }
  }

  @Test
  void theFirstCertificateComesBeforeSixThousandDecisionsUnderUniformExploration() {
    Run run = new Run(text("  explore: {share: 0.1, over: all}", ""), 1, 0, .25, 0).play(6000);
    Tier.found(getClass(), "first certificate, uniform exploration", run.first);
    assertThat(run.first).isBetween(500, 6000);
    assertThat(run.wronglyCertified).isZero();
  }

  @Test
  void theEllipsoidAloneCertifiesNothingInThatTime() {
    String ellipsoid = ", certificates: {interval: ellipsoid}";
    Run run =
        new Run(text("  explore: {share: 0.1, over: all}", ellipsoid), 1, 0, .25, 0).play(6000);
    assertThat(run.first).isZero();
  }

  @Test
  void theFirstCertificateComesBeforeThreeAndAHalfThousandDecisionsUnderCertifyFirst() {
    Run run = new Run(text("  explore: {share: 0.5}", ""), 1, 0, .25, 0).play(20_000);
    Tier.found(getClass(), "first certificate, certify-first", run.first);
    Tier.found(getClass(), "unfair decisions of 20,000, certify-first", run.unfairlyPlayed);
    assertThat(run.first).isBetween(500, 3500);
    assertThat(run.wronglyCertified).isZero();
    assertThat(run.certified).isGreaterThan(15_000);
    assertThat(run.played[0]).as("the better of two fair offers").isGreaterThan(13_000);
    assertThat(run.unfairlyPlayed).isLessThan(2500);
  }

  /** Every offer has an effect of just above tau, so any certificate is false. */
  @Test
  void certificatesAtTheBorderAreFalseInAtMostDeltaOfTheRuns() {
    int runs = Tier.count(10, 2000);
    double border = .1 + 1e-7;
    int wrong = 0;
    for (int seed = 0; seed < runs; seed++) {
      Run run = new Run(text("  explore: {share: 0.5}", ""), seed, border, border, border);
      wrong += run.play(4000).wronglyCertified > 0 ? 1 : 0;
    }
    Tier.found(getClass(), "runs with a false certificate at the border, of " + runs, wrong);
    assertThat(wrong).isLessThanOrEqualTo(runs / 20);
  }
}
