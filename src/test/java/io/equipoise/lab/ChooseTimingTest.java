package io.equipoise.lab;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.Blocks;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.Draw;
import io.equipoise.bandit.MemoryBlocks;
import io.equipoise.bandit.TabularBandit;
import io.equipoise.spec.PolicyName;
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
    TabularBandit bandit = TabularBandit.compile(campaign.spec(PolicyName.F_UCB, .3));
    Draw draw = new Draw(1, "lab", "d");
    List<Round> rounds = campaign.environment().rounds(ROUNDS, 1);
    long[] nanos = new long[ROUNDS];
    for (int pass = 0; pass < WARM_UP_PASSES; pass++) {
      Blocks blocks = new MemoryBlocks();
      for (int t = 1; t <= ROUNDS; t++) {
        Round round = rounds.get(t - 1);
        long start = System.nanoTime();
        Choice choice = bandit.choose(blocks, round.context(), t, draw);
        nanos[t - 1] = System.nanoTime() - start;
        Environment.Answer answer = campaign.environment().answer(round, choice.arm());
        bandit.learn(blocks, round.context(), choice.arm(), answer.mediators(), answer.reward());
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
