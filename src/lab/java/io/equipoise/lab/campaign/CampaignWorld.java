package io.equipoise.lab.campaign;

import io.equipoise.lab.campaign.Node.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Defines a structural causal model with one action: people, the consequences of an arm, and the
 * expected reward. Nodes are in causal order: hidden causes and people's variables, the action,
 * mediators.
 *
 * @param rewardParents indices of the causes of the reward, hidden ones included
 * @param means the expected reward by the joint level of its parents, the last one fastest
 * @param noise the standard deviation of a reward around its mean; 0 for rewards of 0 and 1
 */
@SuppressWarnings("ArrayRecordComponent") // a table, never compared
record CampaignWorld(List<Node> nodes, int[] rewardParents, double[] means, double noise) {

  CampaignWorld {
    nodes = List.copyOf(nodes);
  }

  Node node(int place) {
    return nodes.get(place);
  }

  int action() {
    return place(node -> node.kind() == Kind.ACTION);
  }

  int arms() {
    return node(action()).levels();
  }

  /** Returns the index of a variable. */
  int place(String name) {
    return place(node -> node.name().equals(name));
  }

  private int place(Predicate<Node> which) {
    return IntStream.range(0, nodes.size())
        .filter(place -> which.test(nodes.get(place)))
        .findFirst()
        .orElseThrow();
  }

  List<Node> ofKind(Kind kind) {
    return nodes.stream().filter(node -> node.kind() == kind).toList();
  }

  /** Returns the names of the children of a hidden cause. */
  List<String> joined(int hidden) {
    List<String> joined = new ArrayList<>();
    nodes.stream().filter(node -> has(node.parents(), hidden)).forEach(n -> joined.add(n.name()));
    if (has(rewardParents, hidden)) {
      joined.add(WorldSpecText.REWARD);
    }
    return joined;
  }

  private static boolean has(int[] parents, int place) {
    return Arrays.stream(parents).anyMatch(parent -> parent == place);
  }

  /** Returns the expected reward, given the levels of all nodes. */
  double mean(int[] levels) {
    int cell = 0;
    for (int parent : rewardParents) {
      cell = cell * nodes.get(parent).levels() + levels[parent];
    }
    return means[cell];
  }

  /** Draws the levels of the variables before the action. */
  int[] person(Chance chance) {
    int[] levels = new int[nodes.size()];
    for (int place = 0; place < action(); place++) {
      levels[place] = chance.level(nodes.get(place).row(levels, this));
    }
    return levels;
  }

  /** Adds the consequences of an arm to the levels of a person, and returns the reward. */
  double respond(int[] levels, int arm, Chance chance) {
    levels[action()] = arm;
    for (int place = action() + 1; place < nodes.size(); place++) {
      levels[place] = chance.level(nodes.get(place).row(levels, this));
    }
    double mean = mean(levels);
    return noise == 0 ? (chance.hits(mean) ? 1 : 0) : mean + noise * chance.gaussian();
  }
}
