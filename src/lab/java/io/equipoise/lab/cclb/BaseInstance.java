package io.equipoise.lab.cclb;

import io.equipoise.policy.logistic.LogisticScale;
import io.equipoise.simulation.SplitMix;
import java.util.Arrays;
import java.util.List;

/**
 * Defines the structural causal model of the experiments: sensitive a, confounder w, mediator m,
 * and candidates d on a grid; features [a, w, m, d] divided by their norm. Contexts lie on
 * quarters, so the constructor makes all possible rounds.
 */
final class BaseInstance implements CclbInstance {
  private static final int QUARTERS = 4;
  private static final int PLACES = QUARTERS + 1;

  private final LogisticScale scale;
  private final double shareOfA;
  private final int candidates;
  private final int minFeasible;
  private final KnownRound[] rounds = new KnownRound[2 * PLACES * PLACES];

  /**
   * Makes the instance.
   *
   * @param shareOfA probability of a = 1
   * @param grid values d of the candidates
   * @param minFeasible a round with fewer fair candidates is drawn again
   */
  BaseInstance(
      LogisticScale scale,
      double[] theta,
      double tau,
      double shareOfA,
      double[] grid,
      int minFeasible) {
    this.scale = scale;
    this.shareOfA = shareOfA;
    this.minFeasible = minFeasible;
    candidates = grid.length;
    CounterfactualFeatures features =
        new CounterfactualFeatures(new Features().normalized(), new int[] {2}, new int[][] {{0}});
    List<double[]> decisions = Arrays.stream(grid).mapToObj(d -> new double[] {d}).toList();
    for (int a = 0; a < 2; a++) {
      for (int w = 0; w <= QUARTERS; w++) {
        for (int m = 0; m <= QUARTERS; m++) {
          double[] context = {(double) w / QUARTERS, (double) m / QUARTERS};
          rounds[index(a, w, m)] =
              KnownRound.of(features.request(new int[] {a}, context, decisions), theta, tau);
        }
      }
    }
    if (Arrays.stream(rounds).allMatch(round -> round.feasible() < minFeasible)) {
      throw new IllegalArgumentException("no context has " + minFeasible + " fair candidates");
    }
  }

  /** Writes [a, w, m, d]. */
  private static final class Features implements CclbFeatureMap {
    @Override
    public int dimension() {
      return 4;
    }

    @Override
    public void write(int[] sensitive, double[] context, double[] decision, double[] out) {
      out[0] = sensitive[0];
      out[1] = context[0];
      out[2] = context[1];
      out[3] = decision[0];
    }
  }

  private static int index(int a, int w, int m) {
    return (a * PLACES + w) * PLACES + m;
  }

  @Override
  public LogisticScale scale() {
    return scale;
  }

  @Override
  public int candidates() {
    return candidates;
  }

  @Override
  public KnownRound next(SplitMix contexts) {
    while (true) {
      double uA = contexts.nextDouble();
      double uAw = contexts.nextDouble();
      double uW = contexts.nextDouble();
      double uM = contexts.nextDouble();
      int a = uA < shareOfA ? 1 : 0;
      double w = 0.8 * uW + 0.2 * (1 - a) * uAw;
      double m = 0.4 * w + 0.5 * uM + 0.1 * a;
      KnownRound round = at(a, quarters(w), quarters(m));
      if (round.feasible() >= minFeasible) {
        return round;
      }
    }
  }

  /** Returns the round of a context, w and m in quarters. */
  KnownRound at(int a, int w, int m) {
    return rounds[index(a, w, m)];
  }

  private static int quarters(double value) {
    return (int) Math.floor(QUARTERS * value + 0.5);
  }
}
