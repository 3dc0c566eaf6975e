package io.equipoise.lab;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.policy.Choice;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.policy.tabular.TabularPolicyName;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Times F-UCB's choice on the Email Campaign: 36 arms, 48 cells. The bound has room for noise. */
class ChooseTimingTest {
  private static final int ROUNDS = 20_000;
  private static final int WARM_UP_PASSES = 4;
  private static final double MEDIAN_BOUND_MICROS = 50;

  @Test
  void aChoiceTakesMicroseconds() {
    EmailCampaign campaign = new EmailCampaign();
    TabularPolicy bandit = TabularPolicy.compile(campaign.spec(TabularPolicyName.F_UCB, .3));
    SeededRandom seededRandom = new SeededRandom(1, "lab", "d");
    List<Round> rounds = campaign.environment().rounds(ROUNDS, 1);
    long[] nanos = new long[ROUNDS];
    for (int pass = 0; pass < WARM_UP_PASSES; pass++) {
      ModelState modelState = new MemoryModelState();
      for (int t = 1; t <= ROUNDS; t++) {
        Round round = rounds.get(t - 1);
        long start = System.nanoTime();
        Choice choice = bandit.choose(modelState, round.context(), t, seededRandom);
        nanos[t - 1] = System.nanoTime() - start;
        Environment.Answer answer = campaign.environment().answer(round, choice.arm());
        bandit.learn(
            modelState, round.context(), choice.arm(), answer.mediators(), answer.reward());
      }
    }
    Arrays.sort(nanos);
    double median = nanos[ROUNDS / 2] / 1e3;
    System.out.printf(
        "choose, F-UCB, Email Campaign: p50 %.1f us, p99 %.1f us, max %.0f us%n",
        median, nanos[ROUNDS * 99 / 100] / 1e3, nanos[ROUNDS - 1] / 1e3);
    assertTrue(median < MEDIAN_BOUND_MICROS, "median " + median + " us");
  }
}
