package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.FairnessAudit;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Arms come and go, and their levels leave the model, in a world where every effect of every arm is
 * just above tau, so that any certificate of any arm at any time is false.
 */
class RotationBorderTest {
  private static final double TAU = .4;
  private static final double BORDER = TAU + 1e-7;
  private static final int VERSIONS = 7;
  private static final int ROUNDS = 300;
  private static final String FEATURES =
      ", theta-norm: 5, features: [intercept, one-hot: S, one-hot: A, product: [one-hot: S,"
          + " one-hot: A]]";

  /** Lists an arm that stays and three others; one of these goes, and a version later its level. */
  private static String version(String policy, int version) {
    List<String> levels = levels(Math.max(1, version - 1), version + 2);
    List<String> arms =
        levels(version, version + 2).stream().map("{id: %1$s, A: %1$s}"::formatted).toList();
    return """
           name: rotation
           version: %d
           segments: default
           seed: 11
           variables:
             S: {role: sensitive, levels: [a, b], missing: reject}
             A: {role: action, levels: %s}
             R: {role: reward}
           graph: "dag { S -> A; {S A} -> R }"
           arms: %s
           reward: {range: [0, 1]}
           policy: {name: %s}
           fairness: {tau: %s, delta: 0.05}
           join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}
           metrics: {every: 1000}
           on-incompatible-change: reject
           """
        .formatted(version, levels, arms, policy, TAU);
  }

  private static List<String> levels(int first, int last) {
    return Stream.concat(
            Stream.of("home"), IntStream.rangeClosed(first, last).mapToObj(i -> "a" + i))
        .toList();
  }

  /** Says whether a run certifies an arm at any time; every arm has the same effect. */
  private static boolean isCertified(String policy, int seed, double effect) {
    SplittableRandom random = new SplittableRandom(seed);
    Scenario scenario = new Scenario();
    for (int version = 1; version <= VERSIONS; version++) {
      scenario.book.publish(version(policy, version));
      for (int i = 0; i < ROUNDS; i++) {
        int at = version * ROUNDS + i;
        int level = random.nextInt(2);
        String id = seed + "-" + at;
        scenario.context(id, at, Map.of("S", level == 0 ? "a" : "b"));
        double mean = .5 + effect * (level - .5);
        scenario.reward(id, at + .5, random.nextDouble() < mean ? 1 : 0);
      }
    }
    assertEquals(List.of(), scenario.deadLetterCodes());
    assertEquals(VERSIONS * ROUNDS, scenario.log.audits.size());
    return scenario.log.audits.stream().anyMatch(RotationBorderTest::isCertified);
  }

  private static boolean isCertified(FairnessAudit audit) {
    return audit.conclusion().verdict() == AuditVerdict.CERTIFIED_FAIR;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "f-ucb",
        "linucb, model: shared, constraint: hard" + FEATURES,
        "screen" + FEATURES
      })
  void whileArmsRotateCertificatesAreFalseInAtMostDeltaOfTheRuns(String policy) {
    assertTrue(isCertified(policy, 1, 0), "the run is too short for a certificate");
    int runs = Tier.count(2, 400);
    int wrong = 0;
    for (int seed = 0; seed < runs; seed++) {
      wrong += isCertified(policy, seed, BORDER) ? 1 : 0;
    }
    String name = policy.replaceFirst(",.*", "");
    Tier.foundShare(getClass(), name + ": runs with a false certificate", wrong, runs);
    assertTrue(wrong <= runs / 20, wrong + " of " + runs);
  }
}
