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
 */
public record Layout(
    List<Measured> variables,
    List<List<Integer>> scopes,
    @Nullable String flag,
    @Nullable String weight)
    implements Serializable {
  public Layout {
    variables = new ArrayList<>(variables); // lists that Java serialises
    List<List<Integer>> copies = new ArrayList<>();
    scopes.forEach(scope -> copies.add(new ArrayList<>(scope)));
    scopes = copies;
  }

  /** Lays out scopes by name; refuses one with more than 2^62 cells. */
  public static Layout of(
      List<Measured> variables, List<? extends Iterable<String>> scopes, @Nullable String flag) {
    List<String> names = variables.stream().map(Measured::name).toList();
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
    return new Layout(variables, places, flag, null);
  }

  /** Returns the same for rows that stand for as many as a column says. */
  public Layout weightedBy(@Nullable String column) {
    boolean isVariable = variables.stream().anyMatch(it -> it.name().equals(column));
    if (isVariable || (column != null && column.equals(flag))) {
      throw new DistributionException(column + " is a variable, so it is no weight");
    }
    return new Layout(variables, scopes, flag, column);
  }

  /** Returns the same with other scopes. */
  Layout over(List<List<Integer>> others) {
    return new Layout(variables, others, flag, weight);
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
