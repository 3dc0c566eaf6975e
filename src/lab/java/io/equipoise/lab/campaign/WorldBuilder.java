package io.equipoise.lab.campaign;

import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Node;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Builds a world, causes first. */
final class WorldBuilder {
  /** Distance of expected rewards from 0 and 1, so that neither outcome is certain. */
  private static final double LEAST_MEAN = 0.02;

  private final Chance chance;
  private final List<Node> nodes = new ArrayList<>();

  WorldBuilder(Chance chance) {
    this.chance = chance;
  }

  /** Adds a variable with a random table and returns its place. */
  int random(String name, Role role, int levels, int... parents) {
    return add(
        name, role, levels, chance.table(StructuralModel.cells(nodes, parents), levels), parents);
  }

  /** Adds a fair coin. */
  int coin(String name, Role role) {
    return add(name, role, 2, new double[][] {{0.5, 0.5}});
  }

  int action(int levels) {
    return add("A", Role.ACTION, levels, new double[0][]);
  }

  /** Adds a variable that copies a parent of as many levels with this chance. */
  int copy(String name, Role role, int parent, double fidelity) {
    int levels = nodes.get(parent).levels().size();
    double[][] table = new double[levels][levels];
    for (int row = 0; row < levels; row++) {
      Arrays.fill(table[row], Chance.rounded((1 - fidelity) / (levels - 1)));
      table[row][row] =
          Chance.rounded(1 - Chance.rounded((1 - fidelity) / (levels - 1)) * (levels - 1));
    }
    return add(name, role, levels, table, parent);
  }

  /** Adds a variable by its table. */
  int add(String name, Role role, int levels, double[][] table, int... parents) {
    String initial = name.substring(0, 1).toLowerCase(Locale.ROOT);
    List<String> names = IntStream.range(0, levels).mapToObj(level -> initial + level).toList();
    nodes.add(new Node(nodes.size(), name, role, names, parents, table));
    return nodes.size() - 1;
  }

  /** Makes a variable one that people disclose with a probability. */
  void undisclosed(int place, double disclosed, String rule) {
    double[] chances = new double[nodes.get(place).levels().size()];
    Arrays.fill(chances, disclosed);
    undisclosed(place, chances, rule);
  }

  /** Makes a variable one that people disclose with a probability by its level. */
  void undisclosed(int place, double[] disclosed, String rule) {
    set(place, disclosed, rule, nodes.get(place).numbers());
  }

  /** Gives the levels of a variable numbers. */
  void numbers(int place, double[] numbers) {
    set(place, nodes.get(place).disclosed(), nodes.get(place).missing(), numbers);
  }

  private void set(
      int place, double[] disclosed, @Nullable String rule, double @Nullable [] numbers) {
    Node old = nodes.get(place);
    nodes.set(
        place,
        new Node(
            place,
            old.name(),
            old.role(),
            old.levels(),
            old.parents(),
            old.rows(),
            disclosed,
            rule,
            numbers));
  }

  /** Returns how many variables there are so far. */
  int size() {
    return nodes.size();
  }

  Node node(int place) {
    return nodes.get(place);
  }

  /** Returns the world whose expected reward is this function of the levels of the parents. */
  StructuralModel rewarded(ToDoubleFunction<int[]> mean, double noise, int... parents) {
    return StructuralModel.of(nodes, nodes, mean, noise, parents);
  }

  /** Clips an expected reward of 0 or 1. */
  static double clipped(double mean) {
    return Math.max(LEAST_MEAN, Math.min(1 - LEAST_MEAN, mean));
  }
}
