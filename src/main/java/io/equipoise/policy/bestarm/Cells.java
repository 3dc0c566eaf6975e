package io.equipoise.policy.bestarm;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Numbers the joint levels of some variables, the first variable slowest. Immutable. */
public final class Cells {
  private final List<Variable> variables;
  private final int count;

  /** Numbers the joint levels; the caller sees to it that an int holds their number. */
  public Cells(List<Variable> variables) {
    this.variables = List.copyOf(variables);
    int product = 1;
    for (Variable variable : variables) {
      product *= variable.size();
    }
    count = product;
  }

  /** Returns how many there are, 1 for no variables. */
  public int count() {
    return count;
  }

  /** Returns a variable's level in a joint level. */
  int level(int cell, Variable variable) {
    int place = variables.indexOf(variable);
    if (place < 0) {
      throw new DistributionException("\"" + variable.name() + "\" is no cell variable");
    }
    int rest = cell;
    for (int i = variables.size() - 1; i > place; i--) {
      rest /= variables.get(i).size();
    }
    return rest % variable.size();
  }

  /** Returns the levels of a table's parents, where one of them has a level of its own. */
  int[] parents(int cell, Cpt table, String own, int ownLevel) {
    int[] levels = new int[table.parents().size()];
    for (int i = 0; i < levels.length; i++) {
      Variable parent = table.parents().get(i);
      levels[i] = parent.name().equals(own) ? ownLevel : level(cell, parent);
    }
    return levels;
  }

  /** Returns for example {@code [age=1, PBC=present]}. */
  String name(int cell) {
    List<String> parts = new ArrayList<>();
    for (Variable variable : variables) {
      parts.add(variable.name() + "=" + variable.levels().get(level(cell, variable)));
    }
    return parts.toString();
  }

  /** Returns a table that has the same probability everywhere. */
  static Cpt uniform(Variable child, List<Variable> parents) {
    double[] table = new double[child.size() * new Cells(parents).count()];
    Arrays.fill(table, 1.0 / child.size());
    return new Cpt(child, parents, table);
  }
}
