package io.equipoise.lab;

import io.equipoise.simulation.Environment;
import io.equipoise.simulation.Environment.SimulatedOutcome;
import io.equipoise.simulation.Environment.Twin;
import io.equipoise.simulation.Round;
import java.util.Arrays;
import java.util.List;

/**
 * Scores one policy over one sequence of rounds by the truth.
 *
 * @param regret cumulative, after each round; against the best arm of all, also for F-UCB
 * @param unfair decisions with |Delta| &gt; tau, the same arm in both worlds (Huang et al. 2022,
 *     eq. 9), by tau
 * @param twin decisions with |mu(x, pi(x)) - E mu(x', pi(x'))| &gt; tau, by tau: over the person's
 *     twins x', for each of whom the policy chooses again without learning from it
 * @param fallbacks decisions without any certified arm
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Trial(double[] regret, int[] unfair, int[] twin, int fallbacks) {

  static Trial run(Player player, Environment environment, List<Round> rounds, double[] taus) {
    double[] regret = new double[rounds.size()];
    int[] unfair = new int[taus.length];
    int[] twin = new int[taus.length];
    int fallbacks = 0;
    double sum = 0;
    for (int t = 1; t <= regret.length; t++) {
      Round round = rounds.get(t - 1);
      List<Twin> twins = environment.twins(round.context());
      int[] arms = player.choose(round.context(), twins, t);
      double[] means = environment.means(round.context());
      double mean = means[arms[0]];
      double apart = mean;
      for (int i = 0; i < twins.size(); i++) {
        Twin one = twins.get(i);
        apart -= one.chance() * environment.means(one.context())[arms[1 + i]];
      }
      double effect = environment.effect(round.context(), arms[0]);
      for (int i = 0; i < taus.length; i++) {
        unfair[i] += Math.abs(effect) > taus[i] ? 1 : 0;
        twin[i] += Math.abs(apart) > taus[i] ? 1 : 0;
      }
      fallbacks += player.fellBack() ? 1 : 0;
      sum += Arrays.stream(means).max().orElseThrow() - mean;
      regret[t - 1] = sum;
      SimulatedOutcome answer = environment.answer(round, arms[0]);
      player.learn(round, arms[0], answer, t);
    }
    return new Trial(regret, unfair, twin, fallbacks);
  }
}
