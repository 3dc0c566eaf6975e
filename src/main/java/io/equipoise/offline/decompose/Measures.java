package io.equipoise.offline.decompose;

import io.equipoise.offline.decompose.Decomposition.Cell;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Computes the measures of the literature from E(a, b, c): the mean outcome of attribute a,
 * mediators as under b, in the people of c (0, 1 or everyone). Names and signs are those of Plecko
 * and Bareinboim, "Causal Fairness Analysis" (Foundations and Trends in Machine Learning 17(3),
 * 2024).
 */
record Measures(Map<String, List<Cell>> strata, Cell all) {
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
   * Returns every measure by name: E of the first a, b, c less E of the second. A mean that no
   * person has is that of everyone.
   *
   * @param length how many of the first columns of the strata are confounders
   */
  static Map<String, Double> of(List<Cell> cells, int length) {
    Measures measures =
        new Measures(
            cells.stream()
                .collect(
                    Collectors.groupingBy(
                        it -> it.key().substring(0, length),
                        LinkedHashMap::new,
                        Collectors.toList())),
            Cell.sum(cells));
    Map<String, Double> all = new LinkedHashMap<>();
    DIFFERENCES
        .lines()
        .map(it -> it.split(" +"))
        .forEach(it -> all.put(it[0], measures.mean(it[1]) - measures.mean(it[2])));
    return all;
  }

  private double mean(String world) {
    int a = world.charAt(0) - '0';
    int b = world.charAt(1) - '0';
    int c = world.charAt(2) - '0';
    double everyone = all.of(2).mean;
    double mean = 0;
    for (List<Cell> stratum : strata.values()) {
      Cell here = Cell.sum(stratum);
      double inner = here.of(b).rows > 0 ? 0 : everyone;
      for (Cell cell : stratum) {
        double share = here.of(b).rows > 0 ? cell.of(b).rows / here.of(b).rows : 0;
        inner += share * (cell.of(a).rows > 0 ? cell.of(a).mean : everyone);
      }
      mean += here.of(c).rows / all.of(c).rows * inner;
    }
    return mean;
  }
}
