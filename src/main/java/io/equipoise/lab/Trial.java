package io.equipoise.lab;

import io.equipoise.bandit.Blocks;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.Draw;
import io.equipoise.bandit.MemoryBlocks;
import io.equipoise.bandit.TabularBandit;
import java.util.Arrays;
import java.util.List;

/**
 * One policy over one sequence of rounds, judged by the truth.
 *
 * @param regret cumulative, after each round; against the best arm of all, also for F-UCB
 * @param unfair decisions with |Delta| &gt; tau, the same arm in both worlds (Huang et al. 2022,
 *     eq. 9), by tau
 * @param twin decisions with |mu(x, pi(x)) - mu(x', pi(x'))| &gt; tau, by tau: x' differs in the
 *     sensitive attribute only, and the policy chooses anew for x' without learning from it
 * @param fallbacks decisions without any certified arm
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Trial(double[] regret, int[] unfair, int[] twin, int fallbacks) {

  static Trial run(
      TabularBandit bandit, Environment environment, List<Round> rounds, double[] taus) {
    Blocks blocks = new MemoryBlocks();
    double[] regret = new double[rounds.size()];
    int[] unfair = new int[taus.length];
    int[] twin = new int[taus.length];
    int fallbacks = 0;
    double sum = 0;
    for (int t = 1; t <= regret.length; t++) {
      Round round = rounds.get(t - 1);
      Draw draw = new Draw(bandit.spec().seed(), "lab", Integer.toString(t));
      Choice choice = bandit.choose(blocks, round.context(), t, draw);
      int[] other = environment.twin(round.context());
      Choice otherChoice = bandit.choose(blocks, other, t, draw);
      double[] means = environment.means(round.context());
      double mean = means[choice.arm()];
      double apart = mean - environment.means(other)[otherChoice.arm()];
      double effect = environment.effect(round.context(), choice.arm());
      for (int i = 0; i < taus.length; i++) {
        unfair[i] += Math.abs(effect) > taus[i] ? 1 : 0;
        twin[i] += Math.abs(apart) > taus[i] ? 1 : 0;
      }
      fallbacks += choice.fairSetSize() == 0 ? 1 : 0;
      sum += Arrays.stream(means).max().orElseThrow() - mean;
      regret[t - 1] = sum;
      Environment.Answer answer = environment.answer(round, choice.arm());
      bandit.learn(blocks, round.context(), choice.arm(), answer.mediators(), answer.reward());
    }
    return new Trial(regret, unfair, twin, fallbacks);
  }
}
