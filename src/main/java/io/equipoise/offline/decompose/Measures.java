package io.equipoise.offline.decompose;

import io.equipoise.offline.decompose.Decomposition.Cell;
import io.equipoise.offline.decompose.Decomposition.Moments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the measures of the literature from E(a, b, c): the mean outcome of attribute a,
 * mediators as under b, in the people of c (0, 1 or everyone). Names and signs are those of Plecko
 * and Bareinboim, "Causal Fairness Analysis" (Foundations and Trends in Machine Learning 17(3),
 * 2024).
 *
 * @param confounders P(z | c), by c and z
 * @param mediators P(w | b, z), by b, z and w
 * @param outcomes E[Y | a, z, w], by a, z and w
 * @param one the share of group 1
 * @param everyone the mean outcome, which takes the place of what nobody shows
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Measures(
    double[][] confounders,
    double[][][] mediators,
    double[][][] outcomes,
    double one,
    double everyone) {
  private static final int EVERYONE = 2;

  private static final String DIFFERENCES =
      """
      TV            111 000
      Ctf-DE_01(x0) 100 000
      Ctf-IE_10(x0) 100 110
      Ctf-SE_10     110 111
      ETT_01(x0)    110 000
      Ctf-DE_10(x1) 011 111
      Ctf-IE_01(x1) 011 001
      Ctf-SE_01     001 000
      TE            112 002
      NDE_01        102 002
      NIE_10        102 112
      NIE_01        012 002
      Exp-SE_x0     000 002
      Exp-SE_x1     111 112
      """;

  /**
   * Takes the frequencies of a table; the first {@code length} columns of the strata are the
   * confounders. A mean that no person has is that of everyone.
   */
  static Measures of(List<Cell> cells, int length) {
    Moments all = new Moments();
    Map<String, List<Cell>> strata = new LinkedHashMap<>();
    double[] rows = new double[2];
    for (Cell cell : cells) {
      strata.computeIfAbsent(cell.key().substring(0, length), it -> new ArrayList<>()).add(cell);
      all.add(cell.reference());
      all.add(cell.other());
      rows[0] += cell.reference().rows;
      rows[1] += cell.other().rows;
    }
    double[][] confounders = new double[2][strata.size()];
    double[][][] mediators = new double[2][strata.size()][];
    double[][][] outcomes = new double[2][strata.size()][];
    int z = 0;
    for (List<Cell> stratum : strata.values()) {
      for (int group = 0; group < 2; group++) {
        double total = 0;
        for (Cell cell : stratum) {
          total += of(cell, group).rows;
        }
        confounders[group][z] = total / rows[group];
        mediators[group][z] = new double[stratum.size()];
        outcomes[group][z] = new double[stratum.size()];
        for (int w = 0; w < stratum.size(); w++) {
          Moments of = of(stratum.get(w), group);
          mediators[group][z][w] = total > 0 ? of.rows / total : 0;
          outcomes[group][z][w] = of.rows > 0 ? of.mean() : all.mean();
        }
      }
      z++;
    }
    return new Measures(
        confounders, mediators, outcomes, rows[1] / (rows[0] + rows[1]), all.mean());
  }

  private static Moments of(Cell cell, int group) {
    return group == 0 ? cell.reference() : cell.other();
  }

  private double mean(int a, int b, int c) {
    double mean = 0;
    for (int z = 0; z < confounders[0].length; z++) {
      double inner = 0;
      double known = 0;
      for (int w = 0; w < outcomes[a][z].length; w++) {
        inner += mediators[b][z][w] * outcomes[a][z][w];
        known += mediators[b][z][w];
      }
      inner += (1 - known) * everyone;
      double share =
          c == EVERYONE
              ? (1 - one) * confounders[0][z] + one * confounders[1][z]
              : confounders[c][z];
      mean += share * inner;
    }
    return mean;
  }

  private double mean(String world) {
    return mean(world.charAt(0) - '0', world.charAt(1) - '0', world.charAt(2) - '0');
  }

  /** Returns every measure by name: E of the first a, b, c less E of the second. */
  Map<String, Double> all() {
    Map<String, Double> all = new LinkedHashMap<>();
    DIFFERENCES
        .lines()
        .map(it -> it.split(" +"))
        .forEach(it -> all.put(it[0], mean(it[1]) - mean(it[2])));
    return all;
  }
}
