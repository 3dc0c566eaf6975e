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
 * What a row has and over what it is counted.
 *
 * @param variables in the order of a row's levels
 * @param scopes each the places of the variables it counts, the first the slowest
 * @param flag the column that says 1 where a row was selected; null if there is none
 * @param weight the column that says how many rows a row stands for; null if each is one
 * @param mean the place of a variable that is a number of a range rather than a level, -1 if there
 *     is none. As a share of its range it is split between its levels 0 and 1: a row counts {@value
 *     #UNIT}, so that cells are whole numbers still
 * @param squares how many of the scopes, the last ones, have its square at level 1 and nothing at 0
 */
public record CountLayout(
    List<CountedVariable> variables,
    List<List<Integer>> scopes,
    @Nullable String flag,
    @Nullable String weight,
    int mean,
    int squares)
    implements Serializable {
  /** What a row counts where there is a mean. */
  public static final int UNIT = 1 << 20;

  /** Takes counts in a cell. */
  @FunctionalInterface
  interface Counter {
    void add(long code, long count);
  }

  public CountLayout {
    variables = new ArrayList<>(variables); // lists that Java serializes
    List<List<Integer>> copies = new ArrayList<>();
    scopes.forEach(scope -> copies.add(new ArrayList<>(scope)));
    scopes = copies;
  }

  /** Lays out scopes by name; refuses one with more than 2^62 cells. */
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
          throw new DistributionException("rows have no " + name + ", only " + names);
        }
        of.add(names.indexOf(name));
      }
      ContingencyTable.size(of.stream().map(place -> variables.get(place).variable()).toList());
      places.add(of);
    }
    return new CountLayout(variables, places, flag, null, -1, 0);
  }

  /** Returns the same for rows that stand for as many as a column says. */
  public CountLayout weightedBy(@Nullable String column) {
    boolean isVariable = variables.stream().anyMatch(it -> it.name().equals(column));
    if (isVariable || (column != null && column.equals(flag))) {
      throw new DistributionException(column + " is a variable, so it is no weight");
    }
    return new CountLayout(variables, scopes, flag, column, mean, squares);
  }

  /** Returns the same with a variable for a mean, and its squares after all other scopes. */
  public CountLayout withMean(String name) {
    int place = variables.stream().map(CountedVariable::name).toList().indexOf(name);
    if (place < 0) {
      return this;
    }
    List<List<Integer>> all = new ArrayList<>(scopes);
    scopes.stream().filter(scope -> scope.contains(place)).forEach(all::add);
    return new CountLayout(variables, all, flag, weight, place, all.size() - scopes.size());
  }

  /** Returns what a row of weight 1 counts in all cells of a scope together. */
  long unit() {
    return mean < 0 ? 1 : UNIT;
  }

  /** Returns the same with one more scope, of no variable, before the squares. */
  CountLayout withTotal() {
    List<List<Integer>> all = new ArrayList<>(scopes);
    all.add(all.size() - squares, List.of());
    return new CountLayout(variables, all, flag, weight, mean, squares);
  }

  /** Counts a row in a scope. */
  void count(int scope, int[] levels, long rows, Counter counter) {
    long share = mean < 0 || !scopes.get(scope).contains(mean) ? -1 : levels[mean];
    if (share < 0) {
      counter.add(code(scope, levels), rows * unit());
      return;
    }
    boolean isSquare = scope >= scopes.size() - squares;
    int[] split = levels.clone();
    split[mean] = 1;
    long high = isSquare ? (share * share + UNIT - 1) / UNIT : share;
    counter.add(code(scope, split), rows * high);
    if (!isSquare) {
      split[mean] = 0;
      counter.add(code(scope, split), rows * (UNIT - share));
    }
  }

  /** Returns the mixed-radix number of a row in a scope. */
  long code(int scope, int[] levels) {
    long code = 0;
    for (int place : scopes.get(scope)) {
      code = code * variables.get(place).size() + levels[place];
    }
    return code;
  }

  /** Returns the table of a scope. */
  ContingencyTable table(int scope, Map<Long, Long> cells) {
    List<Variable> of =
        scopes.get(scope).stream().map(place -> variables.get(place).variable()).toList();
    return ContingencyTable.of(of, cells);
  }
}
