package io.equipoise.cli.causal.cases;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Cpt;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.ObservedValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A binary model of a graph with generated probabilities and exactly known distributions. Every
 * bidirected edge is a hidden cause. The entries are fractional parts of multiples of the golden
 * ratio, within [0.1, 0.9], so that nothing agrees by accident.
 */
final class SyntheticModel {
  private static final double GOLDEN = 0.6180339887498949;
  private static final List<String> BITS = List.of("0", "1");

  private SyntheticModel() {}

  /** Returns the number of nodes and hidden causes to marginalize. */
  static int size(CausalGraph graph) {
    int siblings = graph.nodes().stream().mapToInt(node -> graph.siblings(node).size()).sum();
    return graph.size() + siblings / 2;
  }

  /** Returns P(v | S=1), and P(v), of a graph without latent nodes. */
  static ObservedValues evidence(CausalGraph graph, int number) {
    KnownDistributions model = model(graph, number);
    List<String> observed = List.copyOf(graph.observed());
    List<Variable> variables = observed.stream().map(model::variable).toList();
    List<String> all = new ArrayList<>(observed);
    graph.selection().ifPresent(all::add);
    double[] joint = model.conditional(all, Map.of());
    if (graph.selection().isEmpty()) {
      return ObservedValues.unselected(ContingencyTable.dense(variables, joint));
    }
    double[] selected = new double[joint.length / 2];
    double[] everyone = new double[selected.length];
    for (int i = 0; i < selected.length; i++) {
      selected[i] = joint[2 * i + 1];
      everyone[i] = joint[2 * i] + joint[2 * i + 1];
    }
    double chance = Arrays.stream(selected).sum();
    for (int i = 0; i < selected.length; i++) {
      selected[i] /= chance;
    }
    return ObservedValues.selected(ContingencyTable.dense(variables, selected))
        .withUnselected(ContingencyTable.dense(variables, everyone));
  }

  private static KnownDistributions model(CausalGraph graph, int number) {
    List<Cpt> cpts = new ArrayList<>();
    double[] at = {GOLDEN * (1 + 1000.0 * number)};
    for (String node : graph.nodes()) {
      List<Variable> causes = new ArrayList<>();
      graph.parents(node).forEach(parent -> causes.add(new Variable(parent, BITS)));
      for (String sibling : graph.siblings(node)) {
        boolean isFirst = graph.indexOf(node) < graph.indexOf(sibling);
        String name = isFirst ? node + " <-> " + sibling : sibling + " <-> " + node;
        Variable hidden = new Variable(name, BITS);
        causes.add(hidden);
        if (isFirst) {
          cpts.add(new Cpt(hidden, List.of(), new double[] {0.5, 0.5}));
        }
      }
      cpts.add(new Cpt(new Variable(node, BITS), causes, table(1 << causes.size(), at)));
    }
    return KnownDistributions.of(cpts);
  }

  private static double[] table(int rows, double[] at) {
    double[] table = new double[2 * rows];
    for (int row = 0; row < rows; row++) {
      at[0] = (at[0] + GOLDEN) % 1;
      table[2 * row] = 0.1 + 0.8 * at[0];
      table[2 * row + 1] = 1 - table[2 * row];
    }
    return table;
  }
}
