package io.equipoise.policy.tabular;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.TestSpec;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** F-UCB over cells where every effect is just above tau, so that any certificate is false. */
class CellBorderTest {
  private static final int DECISIONS = 4000;
  private static final int[] NO_MEDIATORS = {};
  private static final double BORDER = .1 + 1e-7;

  private static TabularPolicy policy() {
    return TestSpec.spec()
        .variable("S", "sensitive", 2, ", missing: reject")
        .variable("A", "action", 3)
        .graph("S -> R A -> R")
        .reward("range: [0, 1]")
        .policy("name: f-ucb, explore: balanced")
        .fairness("tau: 0.1, delta: 0.05, confidence: joint")
        .compile();
  }

  /**
   * Direct and indirect effects of all arms are the border, with mediators of probability .3, .7.
   */
  private static TabularPolicy byKind() {
    return TestSpec.spec()
        .variable("S", "sensitive", 2, ", missing: reject")
        .variable("A", "action", 3)
        .variable("M", "mediator", 2)
        .graph("S -> M S -> R M -> R A -> R")
        .cpt("M", "S", "['0',.7,.3],['1',.3,.7]")
        .reward("range: [0, 1]")
        .policy("name: f-ucb, separating-set: parents, explore: {share: 0.2, over: all}")
        .fairness("tau: {direct: 0.1, indirect: 0.1}, delta: 0.05")
        .compile();
  }

  /** Says whether a run certifies an effect of some kind at any time. */
  private static boolean isAnyKindCertified(TabularPolicy policy, int seed, double effect) {
    ModelState state = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(seed);
    for (int t = 1; t <= DECISIONS; t++) {
      int level = random.nextInt(2);
      int z = random.nextDouble() < .3 + .4 * level ? 1 : 0;
      SeededRandom draw = new SeededRandom(seed, "kinds", "d" + t);
      AuditedChoice audited = policy.chooseAndAudit(state, new int[] {level}, t, draw);
      if (audited.findings().stream().anyMatch(it -> it.verdict() == AuditVerdict.CERTIFIED_FAIR)) {
        return true;
      }
      double mean = .3 + effect * level + effect / .4 * z;
      double reward = random.nextDouble() < mean ? 1 : 0;
      policy.learn(state, new int[] {level}, audited.choice().arm(), new int[] {z}, reward);
    }
    return false;
  }

  @Test
  void certificatesByKindAtTheBorderAreFalseInAtMostDeltaOfTheRuns() {
    TabularPolicy policy = byKind();
    assertTrue(isAnyKindCertified(policy, 1, 0), "the run is too short for a certificate");
    int runs = Tier.count(2, 1000);
    int wrong = 0;
    for (int seed = 0; seed < runs; seed++) {
      wrong += isAnyKindCertified(policy, seed, BORDER) ? 1 : 0;
    }
    Tier.foundShare(getClass(), "cells by kind: runs with a false certificate", wrong, runs);
    assertTrue(wrong <= runs / 20, wrong + " of " + runs);
  }

  /** Says whether a run certifies an arm at any time. */
  private static boolean isCertified(TabularPolicy policy, int seed, double effect) {
    ModelState state = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(seed);
    for (int t = 1; t <= DECISIONS; t++) {
      int level = random.nextInt(2);
      int[] person = {level};
      SeededRandom draw = new SeededRandom(seed, "cells", "d" + t);
      AuditedChoice audited = policy.chooseAndAudit(state, person, t, draw);
      if (AuditFinding.gravest(audited.findings()) == AuditVerdict.CERTIFIED_FAIR) {
        return true;
      }
      double mean = .5 + effect * (level - .5);
      double reward = random.nextDouble() < mean ? 1 : 0;
      policy.learn(state, person, audited.choice().arm(), NO_MEDIATORS, reward);
    }
    return false;
  }

  @Test
  void certificatesAtTheBorderAreFalseInAtMostDeltaOfTheRuns() {
    TabularPolicy policy = policy();
    assertTrue(isCertified(policy, 1, 0), "the run is too short for a certificate");
    int runs = Tier.count(4, 2000);
    int wrong = 0;
    for (int seed = 0; seed < runs; seed++) {
      wrong += isCertified(policy, seed, BORDER) ? 1 : 0;
    }
    Tier.foundShare(getClass(), "cells: runs with a false certificate at the border", wrong, runs);
    assertTrue(wrong <= runs / 20, wrong + " of " + runs);
  }
}
