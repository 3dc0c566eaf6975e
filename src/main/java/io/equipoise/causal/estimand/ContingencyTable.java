package io.equipoise.causal.estimand;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds the counts or weights of the joint values of some discrete variables.
 *
 * <p>Sparse: a cell's code is its mixed-radix number, the first variable slowest. The table
 * contains only cells with weight, in ascending order of their codes. Tables over the same
 * variables merge by addition; counts are whole numbers below 2^53 and so exact in any order.
 * Immutable.
 */
public final class ContingencyTable {
  private final List<Variable> variables;
  private final Map<String, Integer> places = new HashMap<>();
  private final long[] codes;
  private final double[] weights;
  private final double total;

  private ContingencyTable(List<Variable> variables, SortedMap<Long, Double> cells) {
    this.variables = List.copyOf(variables);
    for (Variable variable : variables) {
      if (places.put(variable.name(), places.size()) != null) {
        throw new DistributionException("\"" + variable.name() + "\" is twice in a table");
      }
    }
    long size = size(variables);
    codes = new long[cells.size()];
    weights = new double[cells.size()];
    int count = 0;
    double sum = 0;
    for (Map.Entry<Long, Double> cell : cells.entrySet()) {
      double weight = cell.getValue();
      if (cell.getKey() < 0 || cell.getKey() >= size || !(weight >= 0 && weight < 1e300)) {
        throw new DistributionException(
            "cell " + cell.getKey() + " of " + size + " has the weight " + weight);
      }
      codes[count] = cell.getKey();
      weights[count++] = weight;
      sum += weight;
    }
    total = sum;
  }

  /** Takes weights by code; other cells have weight 0. */
  public static ContingencyTable of(List<Variable> variables, Map<Long, ? extends Number> cells) {
    TreeMap<Long, Double> sorted = new TreeMap<>();
    cells.forEach(
        (code, weight) -> {
          if (weight.doubleValue() != 0) {
            sorted.put(code, weight.doubleValue());
          }
        });
    return new ContingencyTable(variables, sorted);
  }

  /** Takes a weight for every cell, row-major, the first variable slowest. */
  public static ContingencyTable dense(List<Variable> variables, double[] weights) {
    if (weights.length != size(variables)) {
      throw new DistributionException(
          "a table over "
              + variables.stream().map(Variable::name).toList()
              + " has "
              + size(variables)
              + " cells, got "
              + weights.length);
    }
    TreeMap<Long, Double> cells = new TreeMap<>();
    for (int code = 0; code < weights.length; code++) {
      if (weights[code] != 0) {
        cells.put((long) code, weights[code]);
      }
    }
    return new ContingencyTable(variables, cells);
  }

  /** Returns the number of possible cells of a table; rejects more than 2^62. */
  public static long size(List<Variable> variables) {
    long size = 1;
    for (Variable variable : variables) {
      if (size > (1L << 62) / variable.size()) {
        throw new DistributionException(
            "a table over "
                + variables.stream().map(Variable::name).toList()
                + " has more than 2^62 cells");
      }
      size *= variable.size();
    }
    return size;
  }

  public List<Variable> variables() {
    return variables;
  }

  /** Returns whether the table has all these variables. */
  public boolean holds(Collection<String> names) {
    return places.keySet().containsAll(names);
  }

  /** Returns the sum of all weights; the number of rows, if the weights are counts. */
  public double total() {
    return total;
  }

  /** Returns whether every weight is a whole number, so that it can be a count. */
  public boolean isCounts() {
    return Arrays.stream(weights).allMatch(weight -> weight == Math.rint(weight));
  }

  /** Returns the codes of the cells that have weight, ascending; a copy. */
  public long[] codes() {
    return codes.clone();
  }

  /** Returns the code of a joint value, the levels in the order of {@link #variables}. */
  public long code(int[] levels) {
    long code = 0;
    for (int i = 0; i < levels.length; i++) {
      code = code * variables.get(i).size() + levels[i];
    }
    return code;
  }

  /** Returns the levels of a cell, in the order of {@link #variables}. */
  public int[] levels(long code) {
    int[] levels = new int[variables.size()];
    long rest = code;
    for (int i = levels.length - 1; i >= 0; i--) {
      levels[i] = (int) (rest % variables.get(i).size());
      rest /= variables.get(i).size();
    }
    return levels;
  }

  public double weight(long code) {
    int at = Arrays.binarySearch(codes, code);
    return at < 0 ? 0 : weights[at];
  }

  /** Returns the table over some of the variables, in the given order. */
  public ContingencyTable marginal(List<String> names) {
    int[] from = names.stream().mapToInt(this::place).toArray();
    TreeMap<Long, Double> cells = new TreeMap<>();
    for (int i = 0; i < codes.length; i++) {
      int[] levels = levels(codes[i]);
      long code = 0;
      for (int place : from) {
        code = code * variables.get(place).size() + levels[place];
      }
      cells.merge(code, weights[i], Double::sum);
    }
    List<Variable> kept = new ArrayList<>();
    for (int place : from) {
      kept.add(variables.get(place));
    }
    return new ContingencyTable(kept, cells);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ContingencyTable table
        && variables.equals(table.variables)
        && Arrays.equals(codes, table.codes)
        && Arrays.equals(weights, table.weights);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * variables.hashCode() + Arrays.hashCode(codes)) + Arrays.hashCode(weights);
  }

  @Override
  public String toString() {
    return "table over " + variables.stream().map(Variable::name).toList() + ", total " + total;
  }

  private int place(String name) {
    Integer place = places.get(name);
    if (place == null) {
      throw new DistributionException("\"" + name + "\" is not in the " + this);
    }
    return place;
  }
}
