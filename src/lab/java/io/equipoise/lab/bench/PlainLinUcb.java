package io.equipoise.lab.bench;

import java.util.function.IntSupplier;

/**
 * Implements LinUCB with a model for each arm in its plain form: full inverses, a double loop for
 * each arm, Sherman-Morrison updates. O(arms * d^2) per round. The baseline of the library.
 *
 * <p>Theta is updated with each inverse (theta += y (r - theta'x) / (1 + q)). Or it is computed as
 * A^-1 b by a double loop for every arm and decision, as in Algorithm 1 of Li et al. 2010. The
 * first form is the stronger baseline: it saves one of two double loops per arm.
 */
final class PlainLinUcb {
  private static final double TIE = 1e-9;

  private final double alpha;
  private final boolean isTextbook;
  private final double[][][] inverse;
  private final double[][] b;
  private final double[][] theta;
  private final double[] score;
  private final double[] y;

  /**
   * Starts without observations.
   *
   * @param isTextbook whether each decision computes theta = A^-1 b, otherwise theta is updated
   */
  private PlainLinUcb(int arms, int dimension, double lambda, double alpha, boolean isTextbook) {
    this.alpha = alpha;
    this.isTextbook = isTextbook;
    inverse = new double[arms][dimension][dimension];
    for (double[][] ofArm : inverse) {
      for (int i = 0; i < dimension; i++) {
        ofArm[i][i] = 1 / lambda;
      }
    }
    b = new double[arms][dimension];
    theta = new double[arms][dimension];
    score = new double[arms];
    y = new double[dimension];
  }

  /** Returns the rounds of a workload, each of which returns the chosen arm. */
  static IntSupplier playing(LinearWorkload workload, boolean isTextbook) {
    PlainLinUcb loop =
        new PlainLinUcb(
            workload.arms,
            workload.dimension,
            LibraryLinUcb.LAMBDA,
            LibraryLinUcb.ALPHA,
            isTextbook);
    return new IntSupplier() {
      private int played;

      @Override
      public int getAsInt() {
        int place = played++ % workload.contexts.length;
        int chosen = loop.choose(workload.contexts[place]);
        loop.learn(chosen, workload.features(place, chosen), workload.rewards[place][chosen]);
        return chosen;
      }
    };
  }

  private int choose(double[][] x) {
    double greatest = Double.NEGATIVE_INFINITY;
    for (int arm = 0; arm < score.length; arm++) {
      if (isTextbook) {
        solve(arm);
      }
      double[] features = x[x.length == 1 ? 0 : arm];
      double mean = 0;
      double q = 0;
      for (int i = 0; i < features.length; i++) {
        mean += theta[arm][i] * features[i];
        double[] row = inverse[arm][i];
        double sum = 0;
        for (int j = 0; j < features.length; j++) {
          sum += row[j] * features[j];
        }
        q += features[i] * sum;
      }
      score[arm] = mean + alpha * Math.sqrt(Math.max(0, q));
      greatest = Math.max(greatest, score[arm]);
    }
    int chosen = 0;
    while (score[chosen] < greatest - TIE) {
      chosen++;
    }
    return chosen;
  }

  /** Sets theta = A^-1 b. */
  private void solve(int arm) {
    for (int i = 0; i < b[arm].length; i++) {
      double[] row = inverse[arm][i];
      double sum = 0;
      for (int j = 0; j < row.length; j++) {
        sum += row[j] * b[arm][j];
      }
      theta[arm][i] = sum;
    }
  }

  private void learn(int arm, double[] x, double reward) {
    double q = 0;
    double mean = 0;
    for (int i = 0; i < x.length; i++) {
      double sum = 0;
      for (int j = 0; j < x.length; j++) {
        sum += inverse[arm][i][j] * x[j];
      }
      y[i] = sum;
      q += x[i] * sum;
      mean += theta[arm][i] * x[i];
    }
    double step = (reward - mean) / (1 + q);
    for (int i = 0; i < x.length; i++) {
      double scale = y[i] / (1 + q);
      for (int j = 0; j < x.length; j++) {
        inverse[arm][i][j] -= scale * y[j];
      }
      if (isTextbook) {
        b[arm][i] += reward * x[i];
      } else {
        theta[arm][i] += step * y[i];
      }
    }
  }
}
