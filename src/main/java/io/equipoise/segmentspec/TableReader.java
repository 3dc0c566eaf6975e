package io.equipoise.segmentspec;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.Variable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the rows of one table: a level of each parent, then an entry for each child level. */
final class TableReader {
  private static final int MAX_CELLS = 1 << 20;

  private final Variable child;
  private final List<Variable> parents;
  private final boolean isCounted;
  private final KeyType type;

  /**
   * Reads probabilities, or counts to estimate them from.
   *
   * @param type of a probability or a count
   */
  TableReader(Variable child, List<Variable> parents, KeyType type) {
    this.child = child;
    this.parents = parents;
    this.isCounted = type.kind() == KeyType.ValueKind.WHOLE;
    this.type = type;
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
    boolean isTooLarge = combinations * child.size() > MAX_CELLS;
    boolean sound = items.size() == combinations && !isTooLarge;
    if (!sound) {
      rows.fault(items.size() + " rows", combinations + " rows, one for each of " + names());
    }
    if (isTooLarge) {
      return null;
    }
    double[] table = new double[(int) combinations * child.size()];
    int[] lines = new int[(int) combinations];
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
    boolean sound = true;
    for (int parent = 0; parent < parents.size(); parent++) {
      int level = level(parents.get(parent), cells.get(parent));
      sound &= level >= 0;
      index = index * parents.get(parent).size() + Math.max(level, 0);
    }
    if (sound && lines[index] > 0) {
      row.fault("a second row for these levels", "the first is in line " + lines[index]);
      sound = false;
    } else if (sound) {
      lines[index] = row.line();
    }
    List<Field> own = cells.subList(parents.size(), cells.size());
    double[] entries = isCounted ? counts(own) : probabilities(row, own);
    if (!sound || entries == null) {
      return false;
    }
    System.arraycopy(entries, 0, table, index * child.size(), child.size());
    return true;
  }

  private double @Nullable [] counts(List<Field> cells) {
    double[] counts = new double[cells.size()];
    boolean sound = true;
    for (int level = 0; level < counts.length; level++) {
      Long count = cells.get(level).whole(type);
      sound &= count != null;
      counts[level] = count == null ? 0 : count;
    }
    return sound ? counts : null;
  }

  private double @Nullable [] probabilities(Field row, List<Field> cells) {
    double[] probabilities = new double[cells.size()];
    double sum = 0;
    boolean sound = true;
    for (int level = 0; level < probabilities.length; level++) {
      Double p = cells.get(level).number(type);
      sound &= p != null;
      probabilities[level] = p == null ? 0 : p;
      sum += probabilities[level];
    }
    if (sound && Math.abs(sum - 1) > Cpt.ROW_TOLERANCE) {
      row.fault("a sum of " + sum, "probabilities that sum to 1; none is rescaled");
      sound = false;
    }
    return sound ? probabilities : null;
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
