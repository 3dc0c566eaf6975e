package io.equipoise.lab;

import io.equipoise.cli.CsvFile;
import io.equipoise.lab.StructuralModel.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Counts the tables of people in UCI's {@code adult.data} (Becker and Kohavi 1996): age below 30,
 * to 49, from 50; sex; race White or not; income above 50K given age and race.
 */
final class AdultCensus {
  private static final int AGE = 0;
  private static final int RACE = 8;
  private static final int SEX = 9;
  private static final int INCOME = 14;
  private static final List<String> PEOPLE = List.of("age", "sex", "race", "income");

  private AdultCensus() {}

  /** Replaces the model's tables of people; returns by how much a probability changed at most. */
  static double count(Path directoryOrFile, StructuralModel model) throws IOException {
    Path file =
        Files.isDirectory(directoryOrFile)
            ? directoryOrFile.resolve("adult.data")
            : directoryOrFile;
    double[][][] counts = new double[model.size()][][];
    for (String name : PEOPLE) {
      Node node = model.node(name);
      counts[node.place()] = new double[node.rows().length][node.values().length];
    }
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      if (line.isBlank() || line.startsWith("|")) {
        continue;
      }
      int[] levels = levels(model, line, file + ", line " + number);
      for (String name : PEOPLE) {
        Node node = model.node(name);
        counts[node.place()][node.rowNumber(levels)][levels[node.place()]]++;
      }
    }
    double change = 0;
    for (String name : PEOPLE) {
      change = Math.max(change, replace(model.node(name), counts[model.node(name).place()], file));
    }
    return change;
  }

  private static int[] levels(StructuralModel model, String line, String place) {
    List<String> fields = CsvFile.fields(line);
    if (fields.size() != INCOME + 1) {
      throw new IllegalArgumentException(
          place + ": " + fields.size() + " fields instead of " + (INCOME + 1));
    }
    int[] levels = new int[model.size()];
    try {
      int age = Integer.parseInt(fields.get(AGE));
      levels[model.node("age").place()] = age < 30 ? 0 : age < 50 ? 1 : 2;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(place + ": age " + fields.get(AGE), e);
    }
    levels[model.node("race").place()] = is(fields.get(RACE), "white");
    levels[model.node("sex").place()] = is(fields.get(SEX), "male");
    levels[model.node("income").place()] = is(fields.get(INCOME).replace(".", ""), ">50k");
    return levels;
  }

  private static int is(String field, String value) {
    return field.toLowerCase(Locale.ROOT).equals(value) ? 1 : 0;
  }

  private static double replace(Node node, double[][] counts, Path file) {
    double change = 0;
    for (int row = 0; row < counts.length; row++) {
      double total = 0;
      for (double count : counts[row]) {
        total += count;
      }
      if (total == 0) {
        throw new IllegalArgumentException(
            file + " has nobody for a row of P(" + node.name() + ")");
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
