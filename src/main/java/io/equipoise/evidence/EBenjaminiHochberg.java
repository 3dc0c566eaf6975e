package io.equipoise.evidence;

import java.util.Arrays;

/**
 * Flags groups by e-values: e-BH, Wang and Ramdas, "False discovery rate control with e-values"
 * (JRSS B 2022). At one stopping time the expected share of false flags is at most alpha, whatever
 * the dependence.
 */
public final class EBenjaminiHochberg {
  private EBenjaminiHochberg() {}

  /**
   * Returns which of k e-values are flagged: the r greatest, with the greatest r whose r-th e-value
   * is at least k / (alpha r).
   *
   * @param logs of the e-values
   */
  public static boolean[] flagged(double[] logs, double alpha) {
    double[] ascending = logs.clone();
    Arrays.sort(ascending);
    int k = logs.length;
    double least = Double.POSITIVE_INFINITY;
    for (int r = 1; r <= k; r++) {
      double log = ascending[k - r];
      least = log >= StrictMath.log(k / (alpha * r)) ? log : least;
    }
    boolean[] flagged = new boolean[k];
    for (int i = 0; i < k; i++) {
      flagged[i] = logs[i] >= least;
    }
    return flagged;
  }
}
