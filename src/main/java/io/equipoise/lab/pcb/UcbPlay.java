package io.equipoise.lab.pcb;

import java.util.Arrays;
import java.util.List;

/**
 * Plays UCB over the four arms without a context, its index clipped into causal bounds: UCB-PCB. An
 * arm that was never pulled has an endless index, clipped U; ties go to the first arm. The radius
 * is sqrt(2 ln(1 / delta) / n) with delta = 1 / T^2, that of sub-Gaussian noise of scale 1.
 */
final class UcbPlay {
  private final List<Interval> bounds;
  private final double[] sums = new double[PcbPlace.ARMS];
  private final int[] pulls = new int[PcbPlace.ARMS];

  UcbPlay(List<Interval> bounds) {
    this.bounds = List.copyOf(bounds);
  }

  /** Returns the regret after all rounds, against the arm that is best on average. */
  double play(Visits visits, double[] means, double[] contextShares) {
    double[] average = new double[PcbPlace.ARMS];
    for (int place = 0; place < means.length; place++) {
      average[PcbPlace.arm(place)] += contextShares[PcbPlace.context(place)] * means[place];
    }
    double best = Arrays.stream(average).max().orElseThrow();
    double logs = 4 * StrictMath.log(visits.rounds());
    double regret = 0;
    for (int round = 0; round < visits.rounds(); round++) {
      int arm = choose(logs);
      pulls[arm]++;
      sums[arm] += visits.reward(round, means[PcbPlace.of(arm, visits.context(round))]);
      regret += best - average[arm];
    }
    return regret;
  }

  private int choose(double logs) {
    int chosen = 0;
    double greatest = Double.NEGATIVE_INFINITY;
    for (int arm = 0; arm < pulls.length; arm++) {
      double ucb =
          pulls[arm] == 0
              ? Double.POSITIVE_INFINITY
              : sums[arm] / pulls[arm] + Math.sqrt(logs / pulls[arm]);
      Interval interval = bounds.get(arm);
      double index = Math.max(interval.lower(), Math.min(interval.upper(), ucb));
      if (index > greatest) {
        greatest = index;
        chosen = arm;
      }
    }
    return chosen;
  }
}
