package io.equipoise.lab.campaign;

import io.equipoise.lab.campaign.Node.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * A structural causal model with one action: who comes, what an arm brings about, and the expected
 * reward. Nodes are in causal order: hidden causes and people's variables, the action, mediators.
 *
 * @param rewardParents places of the nodes that the reward depends on, hidden ones included
 * @param means the expected reward by the joint level of its parents, the last one fastest
 * @param noise the standard deviation of a reward around its mean; 0 for rewards of 0 and 1
 */
@SuppressWarnings("ArrayRecordComponent") // a table, compared by nobody
record CampaignWorld(List<Node> nodes, int[] rewardParents, double[] means, double noise) {

  CampaignWorld {
    nodes = List.copyOf(nodes);
  }

  /** Returns the place of the action. */
  int action() {
    for (int place = 0; place < nodes.size(); place++) {
      if (nodes.get(place).kind() == Kind.ACTION) {
        return place;
      }
    }
    throw new IllegalStateException("a world without an action");
  }

  /** Returns the place of a variable. */
  int place(String name) {
    for (int place = 0; place < nodes.size(); place++) {
      if (nodes.get(place).name().equals(name)) {
        return place;
      }
    }
    throw new IllegalStateException("no variable " + name);
  }

  List<Node> features() {
    return nodes.stream().filter(Node::isFeature).toList();
  }

  List<Node> ofKind(Kind kind) {
    return nodes.stream().filter(node -> node.kind() == kind).toList();
  }

  /** Returns the names of the variables that a hidden cause joins. */
  List<String> joined(int hidden) {
    List<String> joined = new ArrayList<>();
    for (Node node : nodes) {
      for (int parent : node.parents()) {
        if (parent == hidden) {
          joined.add(node.name());
        }
      }
    }
    for (int parent : rewardParents) {
      if (parent == hidden) {
        joined.add(WorldSpecText.REWARD);
      }
    }
    return joined;
  }

  /** Returns the expected reward, given the levels of all nodes. */
  double mean(int[] levels) {
    int cell = 0;
    for (int parent : rewardParents) {
      cell = cell * nodes.get(parent).levels() + levels[parent];
    }
    return means[cell];
  }

  /** Draws what comes before the action. */
  int[] person(Chance chance) {
    int[] levels = new int[nodes.size()];
    for (int place = 0; place < action(); place++) {
      levels[place] = chance.level(nodes.get(place).row(levels, this));
    }
    return levels;
  }

  /** Draws what follows from an arm into the levels of a person, and returns the reward. */
  double respond(int[] levels, int arm, Chance chance) {
    levels[action()] = arm;
    for (int place = action() + 1; place < nodes.size(); place++) {
      levels[place] = chance.level(nodes.get(place).row(levels, this));
    }
    double mean = mean(levels);
    return noise == 0 ? (chance.hits(mean) ? 1 : 0) : mean + noise * chance.gaussian();
  }
}
