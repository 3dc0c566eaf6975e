package io.equipoise.policy.bestarm;

import java.util.Arrays;

/**
 * Holds what is known before an experiment: how cells z are distributed in both groups, how much
 * likelier ch(S) is under s than under s', and every arm's P_k(V | pa V).
 *
 * <p>Gao and Feng 2021, section 3; the law of z is not among the quantities which the paper lists,
 * but its divergences need it. Immutable.
 */
public final class CsrModel {
  /** The group of S = s. */
  public static final int S = 0;

  /** The group of S = s'. */
  public static final int S_PRIME = 1;

  /** The group of someone whose S is not known. */
  public static final int UNKNOWN_GROUP = -1;

  /** Printed networks round: rows of bnlearn's hepar2 miss 1 by 1e-7. */
  private static final double TOLERANCE = 1e-6;

  private final double[] share;
  private final double[][] law;
  private final double[] ratio;
  private final double[][][] arms;

  /** P_s / P_s' - 1 by cell, the factor of samples with S = s'. */
  final double[] forward;

  /** P_s' / P_s - 1 by cell, the factor of samples with S = s. */
  final double[] backward;

  /**
   * @param share P(S = s), P(S = s')
   * @param law P(z | S), by group and cell
   * @param ratio the product over X in ch(S) of P(x | pa X, s) / P(x | pa X, s'), by cell, positive
   * @param arms P_k(v | z), by arm, cell and level of V
   * @throws IllegalArgumentException if a row is not a distribution or sizes differ
   */
  public CsrModel(double[] share, double[][] law, double[] ratio, double[][][] arms) {
    this.share = share.clone();
    this.law = copy(law);
    this.ratio = ratio.clone();
    this.arms = Arrays.stream(arms).map(CsrModel::copy).toArray(double[][][]::new);
    requireShapes();
    forward = new double[ratio.length];
    backward = new double[ratio.length];
    for (int z = 0; z < ratio.length; z++) {
      forward[z] = ratio[z] - 1;
      backward[z] = 1 / ratio[z] - 1;
    }
  }

  public int arms() {
    return arms.length;
  }

  /** Returns how many cells z there are. */
  public int cells() {
    return ratio.length;
  }

  /** Returns how many levels V has. */
  public int levels() {
    return arms[0][0].length;
  }

  /** Returns P(S) of a group. */
  public double share(int group) {
    return share[group];
  }

  /** Returns P(z | S). */
  public double law(int group, int z) {
    return law[group][z];
  }

  /** Returns P_k(v | z). */
  public double probability(int arm, int z, int v) {
    return arms[arm][z][v];
  }

  /**
   * Returns r = P_k(v|z) / P_j(v|z); infinite where only the sampled arm j never yields v, and 0
   * where neither does.
   */
  double odds(int target, int sampled, int z, int v) {
    double wanted = arms[target][z][v];
    return wanted == 0 ? 0 : wanted / arms[sampled][z][v];
  }

  private static double[][] copy(double[][] rows) {
    return Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
  }

  private void requireShapes() {
    require(arms.length > 0, "there is no arm");
    require(share.length == 2 && law.length == 2, "there must be two groups");
    requireDistribution(share, "P(S)");
    require(share[S] > 0 && share[S_PRIME] > 0, "P(S) leaves one group empty");
    for (int group = 0; group < 2; group++) {
      require(law[group].length == ratio.length, "P(z | S) and the ratio differ in cells");
      requireDistribution(law[group], "P(z | S), group " + group + ",");
    }
    for (int z = 0; z < ratio.length; z++) {
      require(
          ratio[z] > 0 && ratio[z] < Double.POSITIVE_INFINITY,
          "cell " + z + ": P(ch S | s) / P(ch S | s') is " + ratio[z]);
    }
    for (int k = 0; k < arms.length; k++) {
      require(arms[k].length == ratio.length, "arm " + k + " has not a row for every cell");
      for (int z = 0; z < ratio.length; z++) {
        require(arms[k][z].length == levels(), "arm " + k + ", cell " + z + " misses levels of V");
        requireDistribution(arms[k][z], "arm " + k + ", cell " + z + ",");
      }
    }
  }

  private static void requireDistribution(double[] row, String name) {
    double sum = 0;
    for (double p : row) {
      require(p >= 0 && p <= 1 + TOLERANCE, name + " has a probability of " + p);
      sum += p;
    }
    require(Math.abs(sum - 1) <= TOLERANCE, name + " sums to " + sum + ", not to 1");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
