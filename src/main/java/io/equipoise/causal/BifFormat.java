package io.equipoise.causal;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Reads and writes discrete Bayesian networks in the Interchange Format (BIF 0.15, Cozman 1998), as
 * in the bnlearn repository.
 *
 * <p>Blocks are {@code network}, {@code variable} and {@code probability}; {@code property} lines
 * are ignored. Commas and the {@code |} after the child are optional, as in the format. A {@code
 * table} of a child with parents varies the child slowest and the last parent fastest; {@code
 * (levels) p, p;} gives one row, {@code default} all missing rows. Rows must sum to 1 within {@link
 * Cpt#ROW_TOLERANCE}. Errors are {@link DistributionException}s with line and column. A network
 * with more than {@value #MAX_CELLS} probabilities is rejected before they are allocated.
 */
public final class BifFormat {
  /** Tolerance of row sums in a network with rounded numbers. */
  public static final double PRINTED_TOLERANCE = 1e-6;

  static final int MAX_CELLS = 1 << 22;

  private BifFormat() {}

  public static KnownDistributions read(String text) {
    return read(text, Cpt.ROW_TOLERANCE);
  }

  /**
   * Reads a network with rounded numbers, whose row sums may differ more from 1: rows of bnlearn's
   * hepar2 differ by 1e-7. Nothing is renormalized.
   */
  public static KnownDistributions read(String text, double rowTolerance) {
    return new BifReader(text, rowTolerance).network();
  }

  /** As {@link #readWhole(String, double, Predicate)}, for a network with exact numbers. */
  public static KnownDistributions readWhole(String text, Predicate<String> isReplaced) {
    return readWhole(text, Cpt.ROW_TOLERANCE, isReplaced);
  }

  /**
   * As {@link #read(String, double)}, but rejects a text that was cut: a network that lacks a table
   * would say that a variable has no causes.
   *
   * @param isReplaced whether the table of a variable comes from elsewhere, and may be missing
   */
  public static KnownDistributions readWhole(
      String text, double rowTolerance, Predicate<String> isReplaced) {
    BifReader reader = new BifReader(text, rowTolerance);
    KnownDistributions network = reader.network();
    reader.requireTables(isReplaced);
    return network;
  }

  /** Writes numbers in full precision, so that {@link #read} returns equal variables and tables. */
  public static String write(String networkName, KnownDistributions network) {
    StringBuilder out = new StringBuilder("network " + name(networkName) + " {\n}\n");
    for (Variable variable : network.variables()) {
      out.append("variable ").append(name(variable.name())).append(" {\n  type discrete [ ");
      out.append(variable.size()).append(" ] { ").append(names(variable.levels()));
      out.append(" };\n}\n");
    }
    for (Variable variable : network.variables()) {
      network.cpt(variable.name()).ifPresent(cpt -> write(cpt, out));
    }
    return out.toString();
  }

  private static void write(Cpt cpt, StringBuilder out) {
    List<Variable> parents = cpt.parents();
    out.append("probability ( ").append(name(cpt.child().name()));
    if (!parents.isEmpty()) {
      out.append(" | ").append(names(parents.stream().map(Variable::name).toList()));
    }
    out.append(" ) {\n");
    int size = cpt.child().size();
    double[] table = cpt.table();
    for (int from = 0; from < table.length; from += size) {
      double[] row = Arrays.copyOfRange(table, from, from + size);
      String start = parents.isEmpty() ? "table " : "(" + names(cpt.rowLevels(from / size)) + ") ";
      String numbers =
          Arrays.stream(row).mapToObj(Double::toString).collect(Collectors.joining(", "));
      out.append("  ").append(start).append(numbers).append(";\n");
    }
    out.append("}\n");
  }

  private static String names(List<String> names) {
    return names.stream().map(BifFormat::name).collect(Collectors.joining(", "));
  }

  /** Quotes names that would not be read back as one word, or as a keyword. */
  private static String name(String name) {
    return name.matches("[\\p{L}\\p{N}_.<>=+-]+")
        ? name
        : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
