package io.equipoise.causal.estimand;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.Variable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Holds the tables for the evaluation of an estimand: of selected rows, which estimate P(. | S=1),
 * and of unselected rows (the whole population, a census, a randomized arm), which estimate P(.).
 *
 * <p>Of several tables with the requested variables, the first with the fewest variables is used. A
 * variable must have the same levels in all tables. Variables without a table may be declared with
 * their levels. Immutable.
 */
public final class ObservedValues {
  private record Table(ContingencyTable cells, boolean isSelected) {}

  private final List<Table> tables;
  private final Map<String, Variable> variables;

  private ObservedValues(List<Table> tables, Map<String, Variable> variables) {
    this.tables = List.copyOf(tables);
    this.variables = variables;
  }

  public static ObservedValues none() {
    return new ObservedValues(List.of(), Map.of());
  }

  /** Returns evidence of selected rows (S = 1). */
  public static ObservedValues selected(ContingencyTable table) {
    return none().withSelected(table);
  }

  /** Returns evidence of unselected rows. */
  public static ObservedValues unselected(ContingencyTable table) {
    return none().withUnselected(table);
  }

  public ObservedValues withSelected(ContingencyTable table) {
    return with(new Table(table, true));
  }

  public ObservedValues withUnselected(ContingencyTable table) {
    return with(new Table(table, false));
  }

  /** Returns the table for a probability over {@code names}. */
  public Optional<ContingencyTable> find(Collection<String> names, boolean isSelected) {
    ContingencyTable best = null;
    for (Table table : tables) {
      boolean isFit = table.isSelected == isSelected && table.cells.holds(names);
      if (isFit && (best == null || table.cells.variables().size() < best.variables().size())) {
        best = table.cells;
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * Returns the table for a probability over {@code names}, or throws with the missing variables.
   */
  public ContingencyTable require(Collection<String> names, boolean isSelected) {
    return find(names, isSelected)
        .orElseThrow(
            () ->
                new DistributionException(
                    "no table of "
                        + (isSelected ? "selected" : "unselected")
                        + " rows has all of "
                        + names));
  }

  /** Returns the variable of that name, declared or in some table. */
  public Variable variable(String name) {
    Variable found = variables.get(name);
    if (found == null) {
      throw new DistributionException("no table has \"" + name + "\", and it is not declared");
    }
    return found;
  }

  /** Returns all tables in the order in which they were added. */
  public List<ContingencyTable> tables() {
    return tables.stream().map(Table::cells).toList();
  }

  /** Returns the same evidence with other weights in its tables. */
  ObservedValues map(UnaryOperator<ContingencyTable> changed) {
    return new ObservedValues(
        tables.stream().map(it -> new Table(changed.apply(it.cells), it.isSelected)).toList(),
        variables);
  }

  /** Declares the levels of variables, whether or not a table has them. */
  public ObservedValues declaring(Collection<Variable> declared) {
    return new ObservedValues(tables, with(declared));
  }

  private ObservedValues with(Table added) {
    List<Table> all = new ArrayList<>(tables);
    all.add(added);
    return new ObservedValues(all, with(added.cells.variables()));
  }

  private Map<String, Variable> with(Collection<Variable> added) {
    Map<String, Variable> all = new HashMap<>(variables);
    for (Variable variable : added) {
      Variable known = all.putIfAbsent(variable.name(), variable);
      if (known != null && !known.equals(variable)) {
        throw new DistributionException(
            "\"" + variable.name() + "\" has other levels elsewhere: " + variable + ", " + known);
      }
    }
    return Map.copyOf(all);
  }
}
