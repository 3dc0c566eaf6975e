package io.equipoise.causal;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Holds a conditional probability table P(child | parents).
 *
 * <p>Dense and row-major: one row for each joint level of the parents, the first parent slowest; a
 * row has one probability for each level of the child. A row that is not a distribution within
 * {@link #ROW_TOLERANCE} is rejected by name; nothing is ever renormalized. A table may be
 * estimated from counts; then it has the number of observations of each row. Immutable.
 */
public final class Cpt {
  /** Default tolerance for the sum of a row. */
  public static final double ROW_TOLERANCE = 1e-9;

  private final Variable child;
  private final List<Variable> parents;
  private final double[] table;

  /** Observations of each row; empty if the table is exact. */
  private final long[] observations;

  public Cpt(Variable child, List<Variable> parents, double[] table) {
    this(child, parents, table, ROW_TOLERANCE);
  }

  /** Creates a table of rounded numbers, which are kept unchanged. */
  public Cpt(Variable child, List<Variable> parents, double[] table, double rowTolerance) {
    this(child, parents, table, rowTolerance, new long[0]);
  }

  private Cpt(
      Variable child,
      List<Variable> parents,
      double[] table,
      double rowTolerance,
      long[] observations) {
    this.child = child;
    this.parents = List.copyOf(parents);
    this.table = table.clone();
    this.observations = observations;
    requireDistinct();
    requireSize();
    for (int row = 0; row < table.length / child.size(); row++) {
      requireDistribution(row, rowTolerance);
    }
  }

  /**
   * Estimates a table by shares. A row without observations is uniform and counts as unknown.
   *
   * @param counts of each child level in each row, in the layout of the table; none below 0
   */
  public static Cpt estimated(Variable child, List<Variable> parents, long[] counts) {
    int size = child.size();
    if (counts.length != cells(child, parents)) {
      throw new DistributionException(
          "the counts of " + child.name() + " are " + counts.length + " numbers");
    }
    long[] observations = new long[counts.length / size];
    double[] table = new double[counts.length];
    for (int cell = 0; cell < counts.length; cell++) {
      if (counts[cell] < 0) {
        throw new DistributionException("a count of " + child.name() + " is " + counts[cell]);
      }
      observations[cell / size] = Math.addExact(observations[cell / size], counts[cell]);
    }
    for (int cell = 0; cell < counts.length; cell++) {
      long all = observations[cell / size];
      table[cell] = all == 0 ? 1.0 / size : (double) counts[cell] / all;
    }
    return new Cpt(child, parents, table, ROW_TOLERANCE, observations);
  }

  /** Returns whether the table is estimated from counts. */
  public boolean isEstimated() {
    return observations.length > 0;
  }

  /** Returns the number of observations of a row of an estimated table. */
  public long observations(int row) {
    return observations[row];
  }

  public Variable child() {
    return child;
  }

  public List<Variable> parents() {
    return parents;
  }

  /**
   * Returns P(child = childLevel | parents = parentLevels), the levels in the order of parents().
   */
  public double probability(int[] parentLevels, int childLevel) {
    if (parentLevels.length != parents.size()) {
      throw new DistributionException(
          title() + " takes " + parents.size() + " parent levels, got " + parentLevels.length);
    }
    int row = 0;
    for (int i = 0; i < parentLevels.length; i++) {
      Variable parent = parents.get(i);
      row = row * parent.size() + within(parentLevels[i], parent);
    }
    return table[row * child.size() + within(childLevel, child)];
  }

  /** Returns the whole table, a copy. */
  public double[] table() {
    return table.clone();
  }

  /** Returns the entry at a computed index; only array bounds are checked. */
  double at(int place) {
    return table[place];
  }

  /** Returns for example {@code P(I1 | X1, A1)}. */
  public String title() {
    return parents.isEmpty()
        ? "P(" + child.name() + ")"
        : parents.stream()
            .map(Variable::name)
            .collect(Collectors.joining(", ", "P(" + child.name() + " | ", ")"));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cpt cpt
        && child.equals(cpt.child)
        && parents.equals(cpt.parents)
        && Arrays.equals(table, cpt.table)
        && Arrays.equals(observations, cpt.observations);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * child.hashCode() + parents.hashCode()) + Arrays.hashCode(table);
  }

  @Override
  public String toString() {
    return title();
  }

  /** Returns the number of entries of such a table, before allocation. */
  static long cells(Variable child, List<Variable> parents) {
    long cells = child.size();
    for (Variable parent : parents) {
      if (cells > Integer.MAX_VALUE / parent.size()) {
        throw new DistributionException("P(" + child.name() + " | ...) has more than 2^31 entries");
      }
      cells *= parent.size();
    }
    return cells;
  }

  private void requireDistinct() {
    Set<String> names = new HashSet<>(Set.of(child.name()));
    for (Variable parent : parents) {
      if (!names.add(parent.name())) {
        throw new DistributionException(title() + " names \"" + parent.name() + "\" twice");
      }
    }
  }

  private void requireSize() {
    long cells = cells(child, parents);
    if (table.length != cells) {
      throw new DistributionException(
          title() + " needs " + cells + " probabilities, got " + table.length);
    }
  }

  private void requireDistribution(int row, double tolerance) {
    double sum = 0;
    for (int level = 0; level < child.size(); level++) {
      double p = table[row * child.size() + level];
      if (!(p >= 0 && p <= 1 + tolerance)) {
        String event = child.name() + "=" + child.levels().get(level);
        throw new DistributionException(rowName(row) + " has P(" + event + ") = " + p);
      }
      sum += p;
    }
    if (!(Math.abs(sum - 1) <= tolerance)) {
      throw new DistributionException(rowName(row) + " sums to " + sum + ", not to 1");
    }
  }

  List<String> rowLevels(int row) {
    String[] levels = new String[parents.size()];
    int rest = row;
    for (int i = levels.length - 1; i >= 0; i--) {
      Variable parent = parents.get(i);
      levels[i] = parent.levels().get(rest % parent.size());
      rest /= parent.size();
    }
    return List.of(levels);
  }

  private String rowName(int row) {
    List<String> levels = rowLevels(row);
    return parents.isEmpty()
        ? title()
        : IntStream.range(0, levels.size())
            .mapToObj(i -> parents.get(i).name() + "=" + levels.get(i))
            .collect(Collectors.joining(", ", title() + ", row ", ","));
  }

  private int within(int level, Variable variable) {
    if (level < 0 || level >= variable.size()) {
      throw new DistributionException(
          title() + ": \"" + variable.name() + "\" has no level number " + level);
    }
    return level;
  }
}
