package io.equipoise.lab.cclb;

import io.equipoise.policy.logistic.Logistic;
import io.equipoise.policy.logistic.LogisticRequest;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import io.equipoise.policy.logistic.Vectors;
import java.util.Arrays;

/**
 * Pairs a request with the truth about its candidates.
 *
 * @param reward expected reward of every candidate, g(x . theta*)
 * @param effect true size of every candidate's effect, |Delta|
 * @param best greatest expected reward of a fair candidate, one with |Delta| &lt;= tau
 * @param bestMixed greatest expected reward of a distribution over candidates whose mean |Delta| is
 *     at most tau
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KnownRound(
    LogisticRequest request,
    double[] reward,
    double[] effect,
    double tau,
    double best,
    double bestMixed) {

  /** Checks a request with one constraint and one alternative by theta*. */
  static KnownRound of(LogisticRequest request, double[] theta, double tau) {
    int candidates = request.size();
    double[] reward = new double[candidates];
    double[] effect = new double[candidates];
    for (int i = 0; i < candidates; i++) {
      EncodedCandidate candidate = request.candidates().get(i);
      reward[i] = mean(candidate.x(), theta);
      effect[i] = Math.abs(reward[i] - mean(candidate.counterfactuals()[0][0], theta));
    }
    return new KnownRound(
        request, reward, effect, tau, best(reward, effect, tau), bestMixed(reward, effect, tau));
  }

  /** Returns how many candidates are fair. */
  int feasible() {
    return (int) Arrays.stream(effect).filter(size -> size <= tau).count();
  }

  boolean isFair(int candidate) {
    return effect[candidate] <= tau;
  }

  private static double mean(double[] x, double[] theta) {
    return Logistic.mean(Vectors.dot(x, theta));
  }

  private static double best(double[] reward, double[] effect, double tau) {
    double best = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < reward.length; i++) {
      best = effect[i] <= tau ? Math.max(best, reward[i]) : best;
    }
    return best;
  }

  /** An optimum of the linear program mixes at most two candidates, one fair, one not. */
  private static double bestMixed(double[] reward, double[] effect, double tau) {
    double best = best(reward, effect, tau);
    for (int fair = 0; fair < reward.length; fair++) {
      for (int unfair = 0; unfair < reward.length; unfair++) {
        if (effect[fair] <= tau && effect[unfair] > tau) {
          double share = (tau - effect[fair]) / (effect[unfair] - effect[fair]);
          best = Math.max(best, (1 - share) * reward[fair] + share * reward[unfair]);
        }
      }
    }
    return best;
  }
}
