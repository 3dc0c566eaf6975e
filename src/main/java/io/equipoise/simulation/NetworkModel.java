package io.equipoise.simulation;

import io.equipoise.causal.BifFormat;
import io.equipoise.causal.Cpt;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import io.equipoise.simulation.StructuralModel.Node;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes a structural model from the tables of Bayesian networks in BIF. Its mean reward adds up the
 * indices of levels: (base + sum) / divisor. Names are in the order of a spec.
 *
 * @param sensitive one of the features; its level 1 is s+, its level 0 is s-
 * @param paid the parents of the reward
 * @param noise the standard deviation of a reward around its mean
 */
public record NetworkModel(
    List<String> features,
    String sensitive,
    List<String> actions,
    List<String> mediators,
    List<String> paid,
    double base,
    double divisor,
    double noise) {
  public NetworkModel {
    features = List.copyOf(features);
    actions = List.copyOf(actions);
    mediators = List.copyOf(mediators);
    paid = List.copyOf(paid);
  }

  /**
   * Reads resources of the class path.
   *
   * @param paths the first with a table of a variable provides it; the last declares all variables
   */
  public StructuralModel read(String... paths) {
    List<KnownDistributions> networks =
        Stream.of(paths).map(path -> BifFormat.read(Resources.text(path))).toList();
    List<String> declared = Stream.of(features, actions, mediators).flatMap(List::stream).toList();
    Map<String, Node> nodes = new LinkedHashMap<>();
    List<String> open = new ArrayList<>(declared);
    while (!open.isEmpty()) { // causes first, otherwise as declared
      String next =
          open.stream()
              .filter(name -> nodes.keySet().containsAll(parents(table(networks, name))))
              .findFirst()
              .orElseThrow();
      open.remove(next);
      Variable variable = networks.get(networks.size() - 1).variable(next);
      nodes.put(next, node(variable, table(networks, next), nodes));
    }
    int[] terms = paid.stream().mapToInt(name -> nodes.get(name).place()).toArray();
    return StructuralModel.of(
        List.copyOf(nodes.values()),
        declared.stream().map(nodes::get).toList(),
        levels -> (base + Arrays.stream(terms).map(term -> levels[term]).sum()) / divisor,
        noise,
        terms);
  }

  private static Optional<Cpt> table(List<KnownDistributions> networks, String name) {
    return networks.stream().flatMap(network -> network.cpt(name).stream()).findFirst();
  }

  private static List<String> parents(Optional<Cpt> table) {
    return table.map(Cpt::parents).orElse(List.of()).stream().map(Variable::name).toList();
  }

  private Node node(Variable variable, Optional<Cpt> table, Map<String, Node> known) {
    double[] flat = table.map(Cpt::table).orElse(new double[0]);
    int size = variable.size();
    return new Node(
        known.size(),
        variable.name(),
        role(variable.name()),
        variable.levels(),
        parents(table).stream().mapToInt(parent -> known.get(parent).place()).toArray(),
        IntStream.range(0, flat.length / size)
            .mapToObj(row -> Arrays.copyOfRange(flat, row * size, (row + 1) * size))
            .toArray(double[][]::new));
  }

  private Role role(String name) {
    return actions.contains(name)
        ? Role.ACTION
        : mediators.contains(name)
            ? Role.MEDIATOR
            : name.equals(sensitive) ? Role.SENSITIVE : Role.CONTEXT;
  }
}
