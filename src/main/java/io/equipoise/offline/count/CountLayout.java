package io.equipoise.offline.count;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.Variable;
import io.equipoise.causal.estimand.ContingencyTable;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lists the columns of a row and the sets of variables over which rows are counted.
 *
 * @param variables in the order of a row's levels
 * @param scopes index lists of the counted variables, the first index slowest
 * @param flag column that is 1 for selected rows; null for none
 * @param weight column with the number of rows that a row represents; null if each is one
 * @param mean index of a variable that is a number in a range rather than a level, -1 for none. As
 *     a share of its range it is split between its levels 0 and 1: a row counts {@value #UNIT}, so
 *     that cells stay whole numbers
 * @param squares number of the last scopes that have the squares of both shares
 */
public record CountLayout(
    List<CountedVariable> variables,
    List<List<Integer>> scopes,
    @Nullable String flag,
    @Nullable String weight,
    int mean,
    int squares)
    implements Serializable {
  /** The count of a row if there is a mean. */
  public static final int UNIT = 1 << 20;

  /** Receives counts of cells. */
  @FunctionalInterface
  interface Counter {
    void add(long code, long count);
  }

  public CountLayout {
    variables = new ArrayList<>(variables); // Java can serialize these lists
    List<List<Integer>> copies = new ArrayList<>();
    scopes.forEach(scope -> copies.add(new ArrayList<>(scope)));
    scopes = copies;
  }

  /** Creates a layout from scopes by name; rejects a scope with more than 2^62 cells. */
  public static CountLayout of(
      List<CountedVariable> variables,
      List<? extends Iterable<String>> scopes,
      @Nullable String flag) {
    List<String> names = variables.stream().map(CountedVariable::name).toList();
    List<List<Integer>> places = new ArrayList<>();
    for (Iterable<String> scope : scopes) {
      List<Integer> of = new ArrayList<>();
      for (String name : scope) {
        if (!names.contains(name)) {
          throw new DistributionException("rows have no column " + name + ", only " + names);
        }
        of.add(names.indexOf(name));
      }
      ContingencyTable.size(of.stream().map(place -> variables.get(place).variable()).toList());
      places.add(of);
    }
    return new CountLayout(variables, places, flag, null, -1, 0);
  }

  /** Returns a copy with a weight column. */
  public CountLayout weightedBy(@Nullable String column) {
    boolean isVariable = variables.stream().anyMatch(it -> it.name().equals(column));
    if (isVariable || (column != null && column.equals(flag))) {
      throw new DistributionException(column + " is a variable and cannot be the weight column");
    }
    return new CountLayout(variables, scopes, flag, column, mean, squares);
  }

  /** Returns a copy with a mean variable, and with its squares after all other scopes. */
  public CountLayout withMean(String name) {
    int place = variables.stream().map(CountedVariable::name).toList().indexOf(name);
    if (place < 0) {
      return this;
    }
    List<List<Integer>> all = new ArrayList<>(scopes);
    scopes.stream().filter(scope -> scope.contains(place)).forEach(all::add);
    return new CountLayout(variables, all, flag, weight, place, all.size() - scopes.size());
  }

  /** Returns the total count of a row of weight 1 in a scope. */
  long unit() {
    return mean < 0 ? 1 : UNIT;
  }

  /** Returns a copy with one more scope, without variables, before the squares. */
  CountLayout withTotal() {
    List<List<Integer>> all = new ArrayList<>(scopes);
    all.add(all.size() - squares, List.of());
    return new CountLayout(variables, all, flag, weight, mean, squares);
  }

  void count(int scope, int[] levels, long rows, Counter counter) {
    long share = mean < 0 || !scopes.get(scope).contains(mean) ? -1 : levels[mean];
    if (share < 0) {
      counter.add(code(scope, levels), rows * unit());
      return;
    }
    boolean isSquare = scope >= scopes.size() - squares;
    int[] split = levels.clone();
    split[mean] = 1;
    counter.add(code(scope, split), rows * (isSquare ? square(share) : share));
    split[mean] = 0;
    long rest = UNIT - share;
    counter.add(code(scope, split), rows * (isSquare ? square(rest) : rest));
  }

  private static long square(long share) {
    return (share * share + UNIT - 1) / UNIT;
  }

  /** Returns the mixed-radix code of a row in a scope. */
  long code(int scope, int[] levels) {
    long code = 0;
    for (int place : scopes.get(scope)) {
      code = code * variables.get(place).size() + levels[place];
    }
    return code;
  }

  ContingencyTable table(int scope, Map<Long, Long> cells) {
    List<Variable> of =
        scopes.get(scope).stream().map(place -> variables.get(place).variable()).toList();
    return ContingencyTable.of(of, cells);
  }
}
