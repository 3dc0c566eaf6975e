package io.equipoise.causal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Holds the known conditional probability tables, one for each child. Computes the distribution of
 * variables while others are held fixed.
 *
 * <p>Held variables keep their level, and their own tables are not used (truncated factorization,
 * Pearl 2009, eq. 3.10). The result is P(targets | do(held)). It equals the conditional probability
 * if all causes of the held variables without intervention, the context, are held too. Tables may
 * be missing as long as no query needs them. Immutable.
 */
public final class KnownDistributions {
  private final Map<String, Variable> variables;
  private final Map<String, Cpt> cpts;
  private final CausalGraph graph;

  private KnownDistributions(Map<String, Variable> variables, Map<String, Cpt> cpts) {
    this.variables = Collections.unmodifiableMap(variables);
    this.cpts = Collections.unmodifiableMap(cpts);
    this.graph = graphOf(variables.keySet(), cpts.values());
  }

  public static KnownDistributions of(Collection<Cpt> cpts) {
    return of(List.of(), cpts);
  }

  /** Also declares variables that no table names. Tables must agree on the levels of a variable. */
  public static KnownDistributions of(Collection<Variable> declared, Collection<Cpt> cpts) {
    Map<String, Variable> variables = new LinkedHashMap<>();
    Map<String, Cpt> byChild = new LinkedHashMap<>();
    declared.forEach(variable -> declare(variable, "the declaration", variables));
    for (Cpt cpt : cpts) {
      declare(cpt.child(), cpt.title(), variables);
      cpt.parents().forEach(parent -> declare(parent, cpt.title(), variables));
      Cpt other = byChild.putIfAbsent(cpt.child().name(), cpt);
      if (other != null) {
        throw new DistributionException(
            "two tables for one variable: " + other.title() + " and " + cpt.title());
      }
    }
    return new KnownDistributions(variables, byChild);
  }

  /** Returns the variables in the order in which they were first named. */
  public Collection<Variable> variables() {
    return variables.values();
  }

  public Variable variable(String name) {
    Variable found = variables.get(name);
    if (found == null) {
      throw new DistributionException("no known distribution names \"" + name + "\"");
    }
    return found;
  }

  /** Returns the table of {@code child}; empty if it is unknown. */
  public Optional<Cpt> cpt(String child) {
    return Optional.ofNullable(cpts.get(child));
  }

  /** Returns a copy with rows scaled to sum to 1, for networks with rounded numbers. */
  public KnownDistributions scaled() {
    List<Cpt> tables = new ArrayList<>();
    for (Cpt cpt : cpts.values()) {
      tables.add(cpt.isEstimated() ? cpt : new Cpt(cpt.child(), cpt.parents(), scaled(cpt)));
    }
    return of(variables.values(), tables);
  }

  private static double[] scaled(Cpt cpt) {
    double[] table = cpt.table();
    int size = cpt.child().size();
    for (int from = 0; from < table.length; from += size) {
      double sum = 0;
      for (int place = from; place < from + size; place++) {
        sum += table[place];
      }
      for (int place = from; place < from + size; place++) {
        table[place] /= sum;
      }
    }
    return table;
  }

  /** Returns the graph with an edge from every parent to its child. */
  public CausalGraph graph() {
    return graph;
  }

  /**
   * Returns the joint distribution of {@code targets} while {@code given} are held at their levels,
   * row-major with the first target slowest.
   *
   * <p>Sums over all joint levels of the targets and their ancestors that are not held, parents
   * before children in a fixed order, so equal queries return equal bits. {@code given} may name
   * variables without a table. For many queries of the same form, see {@link #query}.
   */
  public double[] conditional(List<String> targets, Map<String, Integer> given) {
    List<String> names = new ArrayList<>(given.keySet());
    return query(targets, names).distribution(names.stream().mapToInt(given::get).toArray());
  }

  /** Prepares a query for many levels of the held variables. */
  public HeldQuery query(List<String> targets, List<String> givenNames) {
    return new HeldQuery(this, targets, givenNames);
  }

  /**
   * Returns the tables of the targets and of their ancestors up to the held ones, parents first.
   */
  List<Cpt> needed(List<String> targets, Set<String> held) {
    Map<String, Cpt> needed = new HashMap<>();
    Deque<String> open = new ArrayDeque<>(targets);
    while (!open.isEmpty()) {
      String name = open.pop();
      if (held.contains(name) || needed.containsKey(name)) {
        continue;
      }
      Cpt cpt = cpts.get(name);
      if (cpt == null) {
        throw new DistributionException(
            "the distribution of \""
                + name
                + "\" is not known, which that of "
                + targets
                + " given "
                + held
                + " needs");
      }
      needed.put(name, cpt);
      cpt.parents().forEach(parent -> open.push(parent.name()));
    }
    return graph.topologicalOrder().stream().filter(needed::containsKey).map(cpts::get).toList();
  }

  /** Two are equal iff their variables and tables are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof KnownDistributions that
        && variables.equals(that.variables)
        && cpts.equals(that.cpts);
  }

  @Override
  public int hashCode() {
    return 31 * variables.hashCode() + cpts.hashCode();
  }

  private static void declare(Variable variable, String place, Map<String, Variable> variables) {
    Variable known = variables.putIfAbsent(variable.name(), variable);
    if (known != null && !known.equals(variable)) {
      throw new DistributionException(
          place
              + " gives \""
              + variable.name()
              + "\" the levels "
              + variable.levels()
              + ", before it had "
              + known.levels());
    }
  }

  private static CausalGraph graphOf(Collection<String> names, Collection<Cpt> cpts) {
    GraphBuilder graph = CausalGraph.builder();
    names.forEach(graph::node);
    for (Cpt cpt : cpts) {
      cpt.parents().forEach(parent -> graph.directed(parent.name(), cpt.child().name()));
    }
    return graph.build();
  }
}
