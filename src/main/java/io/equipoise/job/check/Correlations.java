package io.equipoise.job.check;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.SpecTable;
import io.equipoise.segmentspec.ContextEncoder;
import io.equipoise.segmentspec.Encoded;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures how strongly the context variables of a table correlate with the sensitive ones, for
 * policy {@code linucb-unaware} (Fair-LinUCB, section 5.2.2). It uses Pearson's r between a number,
 * or the indicator of a level, and the indicator of a sensitive level. Only rows with a disclosed
 * sensitive level count. A variable's correlation is its greatest |r|.
 *
 * @param byVariable |r| by context variable, in the order of the spec, to six digits
 * @param rows number of rows
 */
record Correlations(Map<String, Double> byVariable, int rows) {
  private static final double DIGITS = 1e6;

  /**
   * Reads a table.
   *
   * @throws DistributionException if a column is missing, or a row is invalid under the spec
   */
  static Correlations of(SegmentSpec spec, Path file) throws IOException {
    List<SpecVariable> variables = spec.variables().features();
    List<double[]> rows = rows(spec, variables, file);
    Map<String, Double> byVariable = new LinkedHashMap<>();
    int from = 0;
    for (SpecVariable variable : variables) {
      int to = from + width(variable);
      if (variable.role() == VariableRole.CONTEXT) {
        double greatest = greatest(rows, from, to, variables);
        byVariable.put(variable.name(), Math.rint(greatest * DIGITS) / DIGITS);
      }
      from = to;
    }
    return new Correlations(byVariable, rows.size());
  }

  /** A number if there is one, then an indicator for every disclosed level. */
  private static int width(SpecVariable variable) {
    return (variable.isNumeric() ? 1 : 0) + variable.disclosedLevels();
  }

  private static List<double[]> rows(SegmentSpec spec, List<SpecVariable> variables, Path file)
      throws IOException {
    ContextEncoder encoder = new ContextEncoder(spec);
    List<double[]> rows = new ArrayList<>();
    List<String> names = variables.stream().map(SpecVariable::name).toList();
    try (SpecTable table = SpecTable.open(file, names)) {
      while (table.next()) {
        Encoded encoded = encoder.encode(table.attributes(variables));
        if (!encoded.isValid()) {
          throw new DistributionException(table.fault(encoded.faults().get(0)));
        }
        rows.add(row(variables, encoded));
      }
    }
    return rows;
  }

  private static double[] row(List<SpecVariable> variables, Encoded encoded) {
    double[] row = new double[variables.stream().mapToInt(Correlations::width).sum()];
    int[] levels = encoded.levels();
    double[] numbers = encoded.numbers();
    int at = 0;
    int number = 0;
    for (int place = 0; place < levels.length; place++) {
      SpecVariable variable = variables.get(place);
      if (variable.isNumeric()) {
        row[at++] = numbers[number++];
      }
      if (levels[place] < variable.disclosedLevels()) {
        row[at + levels[place]] = 1;
      }
      at += variable.disclosedLevels();
    }
    return row;
  }

  /** Returns the greatest |r| between given columns and those of sensitive levels. */
  private static double greatest(
      List<double[]> rows, int from, int to, List<SpecVariable> variables) {
    double greatest = 0;
    int start = 0;
    for (SpecVariable sensitive : variables) {
      int end = start + width(sensitive);
      if (sensitive.role() == VariableRole.SENSITIVE) {
        int first = end - sensitive.disclosedLevels();
        List<double[]> disclosed =
            rows.stream().filter(row -> isDisclosed(row, first, end)).toList();
        for (int level = first; level < end; level++) {
          for (int column = from; column < to; column++) {
            greatest = Math.max(greatest, Math.abs(correlation(disclosed, level, column)));
          }
        }
      }
      start = end;
    }
    return greatest;
  }

  private static boolean isDisclosed(double[] row, int first, int end) {
    for (int level = first; level < end; level++) {
      if (row[level] > 0) {
        return true;
      }
    }
    return false;
  }

  /** Pearson's correlation; 0 if one of the two is constant. */
  private static double correlation(List<double[]> rows, int one, int other) {
    double meanOne = 0;
    double meanOther = 0;
    for (double[] row : rows) {
      meanOne += row[one] / rows.size();
      meanOther += row[other] / rows.size();
    }
    double product = 0;
    double squaresOne = 0;
    double squaresOther = 0;
    for (double[] row : rows) {
      product += (row[one] - meanOne) * (row[other] - meanOther);
      squaresOne += (row[one] - meanOne) * (row[one] - meanOne);
      squaresOther += (row[other] - meanOther) * (row[other] - meanOther);
    }
    double spread = Math.sqrt(squaresOne * squaresOther);
    return spread > 1e-12 ? product / spread : 0;
  }

  /** Returns the equivalent spec setting: drops the variables above a correlation. */
  String drop(double beyond) {
    return "{correlated: %s, correlations: %s}".formatted(beyond, shown());
  }

  /** Returns the correlations as a YAML mapping. */
  String shown() {
    return byVariable.toString().replace("=", ": ");
  }
}
