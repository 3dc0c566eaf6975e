package io.equipoise.causal;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Writes networks as BIF texts, for tests of what {@link BifFormat} reads. */
public final class BifWriter {
  private BifWriter() {}

  /**
   * Writes numbers in full precision, so that {@link BifFormat#read(String, double)} returns equal
   * variables and tables.
   */
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
    return names.stream().map(BifWriter::name).collect(Collectors.joining(", "));
  }

  /** Quotes names that would not be read back as one word, or as a keyword. */
  private static String name(String name) {
    return name.matches("[\\p{L}\\p{N}_.<>=+-]+")
        ? name
        : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
