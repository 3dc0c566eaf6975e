package io.equipoise.lab;

import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Node;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Counts the tables of people in UCI's {@code adult.data}: age below 30, to 49, from 50; sex; race
 * White or not; income above 50K given age and race.
 */
final class AdultCensus {
  private static final List<String> PEOPLE = List.of("age", "sex", "race", "income");

  private AdultCensus() {}

  /** Replaces the model's tables of people; returns the greatest change of a probability. */
  static double count(Path directoryOrFile, StructuralModel model) throws IOException {
    Map<Node, double[][]> counts = new LinkedHashMap<>();
    for (String name : PEOPLE) {
      Node node = model.node(name);
      counts.put(node, new double[node.rows().length][node.levels().size()]);
    }
    for (String[] person : AdultData.read(directoryOrFile, AdultData.AGE)) {
      int[] levels = new int[model.nodes().size()];
      int age = Integer.parseInt(person[AdultData.AGE]);
      levels[model.node("age").place()] = age < 30 ? 0 : age < 50 ? 1 : 2;
      levels[model.node("race").place()] = is(person[AdultData.RACE], "white");
      levels[model.node("sex").place()] = is(person[AdultData.SEX], "male");
      levels[model.node("income").place()] = is(person[AdultData.INCOME], ">50k");
      counts.forEach(
          (node, table) -> table[model.cell(node.parents(), levels)][levels[node.place()]]++);
    }
    double change = 0;
    for (Map.Entry<Node, double[][]> table : counts.entrySet()) {
      change = Math.max(change, replace(table.getKey(), table.getValue(), directoryOrFile));
    }
    return change;
  }

  private static int is(String field, String value) {
    return field.toLowerCase(Locale.ROOT).equals(value) ? 1 : 0;
  }

  private static double replace(Node node, double[][] counts, Path file) {
    double change = 0;
    for (int row = 0; row < counts.length; row++) {
      double total = Arrays.stream(counts[row]).sum();
      if (total == 0) {
        throw new IllegalArgumentException(
            AdultData.file(file) + " has nobody for a row of P(" + node.name() + ")");
      }
      for (int level = 0; level < counts[row].length; level++) {
        double p = counts[row][level] / total;
        change = Math.max(change, Math.abs(p - node.rows()[row][level]));
        node.rows()[row][level] = p;
      }
    }
    return change;
  }
}
