package io.equipoise.segmentspec;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Cpt;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.GraphBuilder;
import io.equipoise.causal.HeldQuery;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Derives the tables of a spec from a causal network with more variables, which are summed out.
 *
 * <p>The result is the network's latent projection (Verma and Pearl 1990). The spec's graph must
 * have every arrow and hidden common cause of it, or the graph would claim what the network denies;
 * it may have more. The table of a variable V with graph parents P is P(V | do(P)), which is P(V |
 * P) if nothing hidden acts on V. The network's table is left out if something hidden acts on V, if
 * V is an action or the reward, or if an action is a parent of V. P may not contain a descendant of
 * V in the network: P(V | P) would condition on an effect of V.
 *
 * <p>An action is set from outside: the network's arrows into it are cut, those out of it count.
 *
 * <p>Belongs to one reading of a spec. Only the count of steps changes, which bounds the work for
 * all tables together.
 */
final class WiderNetwork {
  private final KnownDistributions network;
  private final VariableTable variables;
  private final CausalGraph graph;
  private final CausalGraph projection;
  private final Set<String> replaced;
  private long steps;

  /**
   * Projects the network.
   *
   * @param graph the spec's
   * @param replaced variables whose distribution the spec states itself
   */
  WiderNetwork(
      KnownDistributions network,
      VariableTable variables,
      CausalGraph graph,
      Set<String> replaced) {
    this.network = cut(network, variables);
    this.variables = variables;
    this.graph = graph.projected();
    this.replaced = Set.copyOf(replaced);
    projection = projection(this.network, variables);
  }

  /** Returns the network with actions that nothing acts on; a uniform table stands for theirs. */
  private static KnownDistributions cut(KnownDistributions network, VariableTable variables) {
    List<Cpt> tables = new ArrayList<>();
    for (Variable variable : network.variables()) {
      Cpt cpt = network.cpt(variable.name()).orElse(null);
      if (cpt != null && isAction(variable.name(), variables)) {
        double[] uniform = new double[variable.size()];
        Arrays.fill(uniform, 1.0 / uniform.length);
        tables.add(new Cpt(variable, List.of(), uniform));
      } else if (cpt != null) {
        tables.add(cpt);
      }
    }
    return KnownDistributions.of(network.variables(), tables);
  }

  private static CausalGraph projection(KnownDistributions network, VariableTable variables) {
    CausalGraph whole = network.graph();
    GraphBuilder builder = CausalGraph.builder();
    for (String node : whole.nodes()) {
      if (variables.knows(node)) {
        builder.node(node);
      } else {
        builder.latent(node);
      }
    }
    for (String node : whole.nodes()) {
      whole.children(node).forEach(child -> builder.directed(node, child));
    }
    return builder.build().projected();
  }

  private static boolean isAction(String node, VariableTable variables) {
    return variables.knows(node) && variables.role(node) == VariableRole.ACTION;
  }

  /**
   * Returns the arrows and common causes of the network that the graph denies, such as "the arrow X
   * -> Y".
   */
  List<String> denied() {
    List<String> denied = new ArrayList<>();
    for (String node : projection.nodes()) {
      if (replaced.contains(node) || !graph.contains(node)) {
        continue;
      }
      Set<String> parents = new TreeSet<>(projection.parents(node));
      parents.removeAll(graph.parents(node));
      parents.forEach(parent -> denied.add("the arrow " + parent + " -> " + node));
      Set<String> later = new TreeSet<>(projection.descendants(List.of(node)));
      later.retainAll(graph.parents(node));
      later.forEach(parent -> denied.add("the way from " + node + " to " + parent));
      Set<String> siblings = new TreeSet<>(projection.siblings(node));
      siblings.removeAll(graph.siblings(node));
      siblings.removeAll(replaced);
      siblings.removeIf(sibling -> sibling.compareTo(node) < 0); // named with the other one
      siblings.forEach(other -> denied.add("a hidden common cause " + node + " <-> " + other));
    }
    return denied;
  }

  /** Returns whether the network has any variable of the spec. */
  boolean isRelated() {
    return projection.nodes().stream().anyMatch(node -> !isAction(node, variables));
  }

  /**
   * Returns the tables, with the network's levels in its own order and the graph's parents.
   *
   * @throws DistributionException if a sum has too many terms, or a table is missing for one
   */
  List<Cpt> tables() {
    List<Cpt> tables = new ArrayList<>();
    for (String node : projection.nodes()) {
      Cpt table = table(node);
      if (table != null) {
        tables.add(table);
      }
    }
    return tables;
  }

  private @Nullable Cpt table(String node) {
    boolean isTaken =
        variables.role(node) != VariableRole.REWARD
            && !isAction(node, variables)
            && !replaced.contains(node)
            && graph.contains(node)
            && projection.siblings(node).isEmpty()
            && graph.siblings(node).isEmpty()
            && projection.nodes().containsAll(graph.parents(node))
            && graph.parents(node).stream().noneMatch(parent -> isAction(parent, variables));
    if (!isTaken) {
      return null;
    }
    Variable child = network.variable(node);
    List<String> names = List.copyOf(graph.parents(node));
    List<Variable> parents = names.stream().map(network::variable).toList();
    HeldQuery query = network.query(List.of(node), names);
    int rows = rows(node, parents, query);
    double[] table = new double[Math.multiplyExact(rows, child.size())];
    int[] levels = new int[parents.size()];
    for (int row = 0; row < rows; row++) {
      int rest = row;
      for (int place = levels.length - 1; place >= 0; place--) {
        levels[place] = rest % parents.get(place).size();
        rest /= parents.get(place).size();
      }
      double[] distribution = query.distribution(levels);
      System.arraycopy(distribution, 0, table, row * child.size(), child.size());
    }
    return new Cpt(child, parents, table);
  }

  /** Returns the rows of a table, or refuses one that is too large to be filled. */
  private int rows(String node, List<Variable> parents, HeldQuery query) {
    long rows = WorkBudget.product(parents.stream().mapToLong(Variable::size).toArray());
    long numbers = WorkBudget.product(rows, network.variable(node).size());
    long more = WorkBudget.product(rows, query.terms(), Math.max(1, query.tables().size()));
    steps = WorkBudget.sum(steps, more);
    if (numbers > WorkBudget.MAX_NUMBERS || steps > WorkBudget.MAX_STEPS) {
      throw new DistributionException(
          "the table of "
              + node
              + " under "
              + parents.size()
              + " parents has "
              + numbers
              + " numbers of "
              + query.terms()
              + " terms; at most "
              + WorkBudget.MAX_NUMBERS
              + " numbers and "
              + WorkBudget.MAX_STEPS
              + " steps for all tables");
    }
    return (int) rows;
  }
}
