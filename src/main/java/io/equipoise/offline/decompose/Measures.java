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
 */
final class Measures {
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

  private final Map<String, List<Cell>> strata = new LinkedHashMap<>();
  private final Moments[] all;

  private Measures(List<Cell> cells, int length) {
    cells.forEach(
        it ->
            strata
                .computeIfAbsent(it.key().substring(0, length), key -> new ArrayList<>())
                .add(it));
    all = groups(cells);
  }

  /**
   * Returns every measure by name: E of the first a, b, c less E of the second. A mean that no
   * person has is that of everyone.
   *
   * @param length how many of the first columns of the strata are confounders
   */
  static Map<String, Double> of(List<Cell> cells, int length) {
    Measures measures = new Measures(cells, length);
    Map<String, Double> all = new LinkedHashMap<>();
    DIFFERENCES
        .lines()
        .map(it -> it.split(" +"))
        .forEach(it -> all.put(it[0], measures.mean(it[1]) - measures.mean(it[2])));
    return all;
  }

  /** Returns the people of 0, of 1 and everyone. */
  private static Moments[] groups(List<Cell> cells) {
    Moments zero = new Moments();
    Moments one = new Moments();
    for (Cell cell : cells) {
      zero.add(cell.reference());
      one.add(cell.other());
    }
    return new Moments[] {zero, one, zero.with(one)};
  }

  private static Moments of(Cell cell, int group) {
    return group == 0 ? cell.reference() : cell.other();
  }

  private double mean(String world) {
    int a = world.charAt(0) - '0';
    int b = world.charAt(1) - '0';
    int c = world.charAt(2) - '0';
    double everyone = all[2].mean();
    double mean = 0;
    for (List<Cell> stratum : strata.values()) {
      Moments[] here = groups(stratum);
      double inner = here[b].rows > 0 ? 0 : everyone;
      for (Cell cell : stratum) {
        double share = here[b].rows > 0 ? of(cell, b).rows / here[b].rows : 0;
        inner += share * (of(cell, a).rows > 0 ? of(cell, a).mean() : everyone);
      }
      mean += here[c].rows / all[c].rows * inner;
    }
    return mean;
  }
}
