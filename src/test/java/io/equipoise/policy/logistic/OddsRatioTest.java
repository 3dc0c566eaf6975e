package io.equipoise.policy.logistic;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.Tier;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Request;
import io.equipoise.policy.features.Profile;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Certificates of odds ratios where they are least true (docs/math/logistic.md#limits-on-log-odds).
 */
@Tag("slow")
class OddsRatioTest extends LogisticPolicyFixture {
  private static final double DELTA = .05;
  private static final String FEATURES =
      ", features: [intercept, one-hot: S, one-hot: A], explore: {share: 0.3, over: all}";

  private static LogisticPolicy of(String interval) {
    return limited(
        "screen" + FEATURES,
        "odds-ratio: 2, delta: " + DELTA + ", certificates: {interval: " + interval + "}");
  }

  private static Request one(LogisticPolicy bandit, int level) {
    Request all = request(bandit, level, 0, 3);
    return new Request(
        new Profile(new int[] {level, 0}, new double[] {0}),
        all.candidates().subList(0, 1),
        false,
        3);
  }

  private static AuditFinding finding(LogisticPolicy bandit, ModelState state, int level) {
    return decide(bandit, state, one(bandit, level), 99_999).findings().get(0);
  }

  /** Learns rewards of the first arm with log odds base -/+ half of l at the levels of S. */
  private static void learn(
      LogisticPolicy bandit,
      ModelState state,
      SplittableRandom random,
      int rewards,
      double base,
      double l) {
    for (int t = 0; t < rewards; t++) {
      int level = random.nextInt(2);
      boolean isOne = random.nextDouble() < Logistic.mean(base + l * (level - .5));
      learn(bandit, state, one(bandit, level), 0, isOne ? 1 : 0);
    }
  }

  /** The true ratio is the limit, so that every certificate and every UNFAIR is false. */
  @ParameterizedTest
  @ValueSource(strings = {"contrast", "pairs"})
  void atTheBorderAtMostDeltaOfTheRunsAreFalse(String interval) {
    int runs = Tier.count(12, 2000);
    LogisticPolicy bandit = of(interval);
    double border = Math.log(2);
    int wrong = 0;
    SplittableRandom random = new SplittableRandom(4);
    for (int run = 0; run < runs; run++) {
      ModelState state = new MemoryModelState();
      boolean isFalse = false;
      double base = run % 3 == 0 ? -3.2 : run % 3 == 1 ? -1 : 0;
      for (int look = 0; look < 10 && !isFalse; look++) {
        learn(bandit, state, random, 250, base, run % 2 == 0 ? border : -border);
        AuditVerdict verdict = finding(bandit, state, look % 2).verdict();
        isFalse = verdict == AuditVerdict.CERTIFIED_FAIR || verdict == AuditVerdict.UNFAIR;
      }
      wrong += isFalse ? 1 : 0;
    }
    Tier.foundShare(
        getClass(), "odds ratio, " + interval + ": false runs at the border", wrong, runs);
    assertThat(wrong).isLessThanOrEqualTo((int) (DELTA * runs));
  }

  /** People come only where the last reward of their level was favorable to a certificate. */
  @ParameterizedTest
  @ValueSource(strings = {"contrast", "pairs"})
  void aHostileChoiceOfPeopleDoesNotForgeACertificate(String interval) {
    int runs = Tier.count(12, 2000);
    LogisticPolicy bandit = of(interval);
    int wrong = 0;
    SplittableRandom random = new SplittableRandom(5);
    for (int run = 0; run < runs; run++) {
      ModelState state = new MemoryModelState();
      int[] ones = new int[2];
      int[] seen = new int[2];
      boolean isFalse = false;
      for (int t = 1; t <= 2000 && !isFalse; t++) {
        double lower = (ones[0] + 1.) / (seen[0] + 2);
        double higher = (ones[1] + 1.) / (seen[1] + 2);
        int level = t % 20 == 0 || lower >= higher ? t % 2 : 1 - (t / 2) % 2 * (t % 3 == 0 ? 1 : 0);
        double base = -1.5;
        boolean isOne = random.nextDouble() < Logistic.mean(base + Math.log(2) * (level - .5));
        seen[level]++;
        ones[level] += isOne ? 1 : 0;
        learn(bandit, state, one(bandit, level), 0, isOne ? 1 : 0);
        isFalse = t % 50 == 0 && finding(bandit, state, 0).verdict() == AuditVerdict.CERTIFIED_FAIR;
      }
      wrong += isFalse ? 1 : 0;
    }
    Tier.foundShare(getClass(), "odds ratio, " + interval + ": false hostile runs", wrong, runs);
    assertThat(wrong).isLessThanOrEqualTo((int) (DELTA * runs));
  }
}
