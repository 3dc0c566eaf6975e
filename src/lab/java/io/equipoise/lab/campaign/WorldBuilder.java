package io.equipoise.lab.campaign;

import io.equipoise.lab.campaign.Node.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

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
  int random(String name, Kind kind, int levels, int... parents) {
    return add(name, kind, levels, chance.table(rows(parents), levels), parents);
  }

  /** Adds a fair coin. */
  int coin(String name, Kind kind) {
    return add(name, kind, 2, new double[][] {{0.5, 0.5}});
  }

  int action(int levels) {
    return add("A", Kind.ACTION, levels, new double[0][]);
  }

  /** Adds a variable that copies a parent of as many levels with this chance. */
  int copy(String name, Kind kind, int parent, double fidelity) {
    int levels = nodes.get(parent).levels();
    double[][] table = new double[levels][levels];
    for (int row = 0; row < levels; row++) {
      Arrays.fill(table[row], Chance.rounded((1 - fidelity) / (levels - 1)));
      table[row][row] =
          Chance.rounded(1 - Chance.rounded((1 - fidelity) / (levels - 1)) * (levels - 1));
    }
    return add(name, kind, levels, table, parent);
  }

  /** Adds a variable by its table. */
  int add(String name, Kind kind, int levels, double[][] table, int... parents) {
    nodes.add(new Node(name, kind, levels, parents, table, new double[0], null, null));
    return nodes.size() - 1;
  }

  /** Makes a variable one that people disclose with a probability. */
  void undisclosed(int place, double disclosed, String rule) {
    double[] chances = new double[nodes.get(place).levels()];
    Arrays.fill(chances, disclosed);
    undisclosed(place, chances, rule);
  }

  /** Makes a variable one that people disclose with a probability by its level. */
  void undisclosed(int place, double[] disclosed, String rule) {
    nodes.set(place, nodes.get(place).undisclosed(disclosed, rule));
  }

  /** Gives the levels of a variable numbers. */
  void numbers(int place, double[] numbers) {
    nodes.set(place, nodes.get(place).numbered(numbers));
  }

  /** Returns how many variables there are so far. */
  int size() {
    return nodes.size();
  }

  Node node(int place) {
    return nodes.get(place);
  }

  /** Returns the world whose expected reward is this function of the levels of the parents. */
  CampaignWorld rewarded(ToDoubleFunction<int[]> mean, double noise, int... parents) {
    double[] means = new double[rows(parents)];
    int[] levels = new int[nodes.size()];
    for (int row = 0; row < means.length; row++) {
      int rest = row;
      for (int i = parents.length - 1; i >= 0; i--) {
        int size = nodes.get(parents[i]).levels();
        levels[parents[i]] = rest % size;
        rest /= size;
      }
      means[row] = mean.applyAsDouble(levels);
    }
    return new CampaignWorld(nodes, parents, means, noise);
  }

  /** Clips an expected reward of 0 or 1. */
  static double clipped(double mean) {
    return Math.max(LEAST_MEAN, Math.min(1 - LEAST_MEAN, mean));
  }

  private int rows(int[] parents) {
    return Arrays.stream(parents)
        .map(parent -> nodes.get(parent).levels())
        .reduce(1, (all, levels) -> all * levels);
  }
}
