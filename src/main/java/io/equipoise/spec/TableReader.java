package io.equipoise.spec;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.Variable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the rows of one table: a level of each parent, then an entry for each child level. */
final class TableReader {
  private static final int MAX_CELLS = 1 << 20;

  /** So that the counts of a row add up without overflow, and are exact as doubles. */
  private static final long MAX_COUNT = 1L << 40;

  private final Variable child;
  private final List<Variable> parents;
  private final boolean isCounted;

  /** Reads probabilities, or counts to estimate them from. */
  TableReader(Variable child, List<Variable> parents, boolean isCounted) {
    this.child = child;
    this.parents = parents;
    this.isCounted = isCounted;
  }

  /**
   * Returns the table if every combination of parent levels has one row, of probabilities that sum
   * to 1 or of counts.
   */
  @Nullable Cpt read(Field rows) {
    double[] table = entries(rows);
    if (table == null) {
      return null;
    }
    return isCounted
        ? Cpt.estimated(child, parents, Arrays.stream(table).mapToLong(n -> (long) n).toArray())
        : new Cpt(child, parents, table);
  }

  /** Returns the entries by the place of their row, or null after a fault. */
  private double @Nullable [] entries(Field rows) {
    List<Field> items = rows.items();
    long combinations = 1;
    for (Variable parent : parents) {
      combinations = Math.min(combinations * parent.size(), MAX_CELLS);
    }
    if (items.size() != combinations || combinations * child.size() > MAX_CELLS) {
      rows.fault(items.size() + " rows", combinations + " rows, one for each of " + names());
      return null;
    }
    double[] table = new double[items.size() * child.size()];
    int[] lines = new int[items.size()];
    boolean sound = true;
    for (Field item : items) {
      sound &= readRow(item, table, lines);
    }
    return sound ? table : null;
  }

  private boolean readRow(Field row, double[] table, int[] lines) {
    List<Field> cells = row.items();
    if (cells.size() != parents.size() + child.size()) {
      String entries = isCounted ? "counts" : "probabilities";
      row.fault(
          cells.size() + " entries",
          "levels of " + names() + ", then " + entries + " of " + child.levels());
      return false;
    }
    int index = 0;
    for (int parent = 0; parent < parents.size(); parent++) {
      int level = level(parents.get(parent), cells.get(parent));
      if (level < 0) {
        return false;
      }
      index = index * parents.get(parent).size() + level;
    }
    if (lines[index] > 0) {
      row.fault("a second row for these levels", "the first is in line " + lines[index]);
      return false;
    }
    lines[index] = row.line();
    return isCounted
        ? readCounts(cells, table, index)
        : readProbabilities(row, cells, table, index);
  }

  private boolean readCounts(List<Field> cells, double[] table, int index) {
    for (int level = 0; level < child.size(); level++) {
      Long count = cells.get(parents.size() + level).whole(0, MAX_COUNT);
      if (count == null) {
        return false;
      }
      table[index * child.size() + level] = count;
    }
    return true;
  }

  private boolean readProbabilities(Field row, List<Field> cells, double[] table, int index) {
    double sum = 0;
    for (int level = 0; level < child.size(); level++) {
      Field cell = cells.get(parents.size() + level);
      Double p = cell.number();
      if (p == null) {
        return false;
      }
      if (p < 0 || p > 1) {
        cell.fault("a probability from 0 to 1");
        return false;
      }
      table[index * child.size() + level] = p;
      sum += p;
    }
    if (Math.abs(sum - 1) > Cpt.ROW_TOLERANCE) {
      row.fault("a sum of " + sum, "probabilities that sum to 1; none is rescaled");
      return false;
    }
    return true;
  }

  private static int level(Variable variable, Field cell) {
    String level = cell.text();
    int index = level == null ? -1 : variable.levels().indexOf(level);
    if (level != null && index < 0) {
      cell.fault(Nearest.levelOf(variable.name(), level, variable.levels()));
    }
    return index;
  }

  private List<String> names() {
    return parents.stream().map(Variable::name).toList();
  }
}
