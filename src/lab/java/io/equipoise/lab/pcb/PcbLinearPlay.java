package io.equipoise.lab.pcb;

import io.equipoise.lab.MemoryLinearBlocks;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.linear.Candidates;
import io.equipoise.policy.linear.FeatureVector;
import io.equipoise.policy.linear.LinearFairness;
import io.equipoise.policy.linear.LinearIndex;
import io.equipoise.policy.linear.LinearRule;
import io.equipoise.policy.linear.Radius;
import io.equipoise.policy.linear.RidgeModel;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.simulation.SplitMix;

/**
 * Plays one contender: Algorithm 4, one regression for each arm over u1, u2, x1, x2 without an
 * intercept, ridge 1. Each round shuffles the candidates, which breaks ties at random.
 */
final class PcbLinearPlay {
  static final double ALPHA = 1.25;
  static final double RIDGE = 1;

  /** Rounds from one point of a curve to the next. */
  static final int STEP = 100;

  private static final int DIMENSION = 4;
  private static final SeededRandom NO_DRAW = new SeededRandom(0, "", "");

  private final MemoryLinearBlocks blocks =
      new MemoryLinearBlocks(
          new LinearRule(
              RidgeModel.of(DIMENSION, RIDGE),
              false,
              new LinearIndex.Clipped(new LinearIndex.Ucb(new Radius.Fixed(ALPHA))),
              new LinearFairness.None(),
              ExploreSpec.NEVER));
  private final Candidates candidates = new Candidates(DIMENSION);
  private final FeatureVector features = new FeatureVector(DIMENSION);
  private final int[] order = {0, 1, 2, 3};
  private final double[] upper;
  private final SplitMix ties;

  PcbLinearPlay(double[] upper, SplitMix ties) {
    this.upper = upper.clone();
    this.ties = ties;
  }

  /** Learns the estimate of each place once for each of its rows. */
  void warm(double[] estimates, double[] counts) {
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      for (int row = 0; row < counts[place]; row++) {
        learn(PcbPlace.arm(place), PcbPlace.context(place), estimates[place]);
      }
    }
  }

  /**
   * Returns the regret so far, against the best mean of each context, after every {@value #STEP}
   * rounds.
   */
  double[] play(Visits visits, double[] means) {
    double[] regret = new double[visits.rounds() / STEP];
    double[] best = best(means);
    double sum = 0;
    for (int round = 0; round < regret.length * STEP; round++) {
      int context = visits.context(round);
      int arm = choose(context, round + 1L);
      double mean = means[PcbPlace.of(arm, context)];
      learn(arm, context, visits.reward(round, mean));
      sum += best[context] - mean;
      if ((round + 1) % STEP == 0) {
        regret[round / STEP] = sum;
      }
    }
    return regret;
  }

  static double[] best(double[] means) {
    double[] best = new double[PcbPlace.CONTEXTS];
    for (int place = 0; place < means.length; place++) {
      int context = PcbPlace.context(place);
      best[context] = Math.max(best[context], means[place]);
    }
    return best;
  }

  private int choose(int context, long round) {
    shuffle();
    candidates.clear();
    for (int arm : order) {
      candidates.add(arm, raw(arm, context));
      candidates.bound(Double.NEGATIVE_INFINITY, upper[PcbPlace.of(arm, context)]);
    }
    return candidates.arm(blocks.choose(candidates, round, NO_DRAW));
  }

  private void shuffle() {
    for (int i = order.length - 1; i > 0; i--) {
      int other = (int) (ties.nextDouble() * (i + 1));
      int arm = order[i];
      order[i] = order[other];
      order[other] = arm;
    }
  }

  private void learn(int arm, int context, double reward) {
    features.set(raw(arm, context));
    blocks.learn(arm, features, 0, reward, 1);
  }

  private static double[] raw(int arm, int context) {
    return new double[] {
      PcbPlace.first(context), PcbPlace.second(context), PcbPlace.first(arm), PcbPlace.second(arm)
    };
  }
}
