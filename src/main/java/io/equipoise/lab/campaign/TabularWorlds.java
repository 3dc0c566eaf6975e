package io.equipoise.lab.campaign;

import io.equipoise.lab.campaign.Node.Kind;
import io.equipoise.lab.campaign.Setting.Rewards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Worlds for policies over cells. In {@link #random} all that the certificate assumes is true; each
 * of the others has one structure under which it would be wrong if nobody looked.
 */
final class TabularWorlds {
  private static final List<String> POLICIES = List.of("ucb", "c-ucb", "d-ucb", "f-ucb");
  private static final List<String> CONFIDENCES = List.of("sub-gaussian", "empirical-bernstein");
  private static final List<String> MISSING = List.of("level", "marginalise");
  private static final double DISCLOSED = 0.7;

  private TabularWorlds() {}

  /** Returns a random graph with one or two attributes, followers, and up to two mediators. */
  static Trial random(Chance chance) {
    return served(graph(chance), Map.of(), chance.hits(0.3), chance);
  }

  /** Returns the same with tables that were estimated from 30 to 5,000 observations a row. */
  static Trial counted(Chance chance) {
    World world = graph(chance);
    Map<String, int[][]> counts = new HashMap<>();
    for (Node node : world.ofKind(Kind.MEDIATOR)) {
      boolean isJoined =
          Arrays.stream(node.parents()).anyMatch(p -> world.nodes().get(p).kind() == Kind.HIDDEN);
      if (!isJoined) {
        counts.put(node.name(), counts(node, chance));
      }
    }
    return served(world, counts, false, chance);
  }

  private static int[][] counts(Node node, Chance chance) {
    int[][] counts = new int[node.table().length][node.levels()];
    for (int row = 0; row < counts.length; row++) {
      int n = (int) Math.exp(chance.uniform(Math.log(30), Math.log(5000)));
      for (int i = 0; i < n; i++) {
        counts[row][chance.level(node.table()[row])]++;
      }
    }
    return counts;
  }

  private static World graph(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    boolean hasHidden = chance.hits(0.2);
    int hidden = hasHidden ? world.random("U", Kind.HIDDEN, 2) : -1;
    List<Integer> people = new ArrayList<>();
    people.add(world.random("S", Kind.SENSITIVE, 2));
    if (chance.hits(0.4)) {
      people.add(world.random("T", Kind.SENSITIVE, 2));
      if (chance.hits(0.3)) {
        world.undisclosed(people.get(1), DISCLOSED, chance.oneOf(MISSING));
      }
    } else if (chance.hits(0.3)) {
      world.undisclosed(people.get(0), DISCLOSED, "level");
    }
    boolean isFollower = world.node(0).disclosed() == 1 && chance.hits(0.4);
    people.add(
        isFollower
            ? world.random("X", Kind.CONTEXT, 2 + chance.below(2), people.get(0))
            : world.random("X", Kind.CONTEXT, 2 + chance.below(2)));
    int action = world.action(2 + chance.below(2));
    List<Integer> paid = new ArrayList<>(List.of(action));
    people.stream().filter(place -> chance.hits(0.6)).forEach(paid::add);
    int mediators = chance.below(3);
    int last = -1;
    for (int i = 0; i < mediators; i++) {
      List<Integer> causes = new ArrayList<>(List.of(action));
      causes.add(chance.oneOf(people));
      if (last >= 0 && chance.hits(0.5)) {
        causes.add(last);
      }
      if (hasHidden && i == 0) {
        causes.add(hidden);
      }
      last = world.random("M" + i, Kind.MEDIATOR, 2, places(causes));
      paid.add(last);
    }
    if (hasHidden && mediators > 0) {
      paid.add(hidden);
    }
    return paid(world, paid, chance);
  }

  private static World paid(WorldBuilder world, List<Integer> paid, Chance chance) {
    double middle = chance.uniform(0.35, 0.65);
    return world.rewarded(
        levels -> WorldBuilder.clipped(middle + 0.25 * chance.gaussian()), 0, places(paid));
  }

  /**
   * Returns a world in which people may not disclose a variable that causes the audited attribute,
   * follows from it, or shares a cause with it.
   */
  static Trial undisclosed(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    double fidelity = chance.uniform(0.8, 0.95);
    Kind kind = chance.hits(0.5) ? Kind.CONTEXT : Kind.SENSITIVE;
    int undisclosed;
    int audited;
    switch (chance.below(3)) {
      case 0 -> {
        undisclosed = world.coin("X", kind);
        audited = world.copy("S", Kind.SENSITIVE, undisclosed, fidelity);
      }
      case 1 -> {
        audited = world.coin("S", Kind.SENSITIVE);
        undisclosed = world.copy("X", kind, audited, fidelity);
      }
      default -> {
        int hidden = world.coin("U", Kind.HIDDEN);
        undisclosed = world.copy("X", kind, hidden, fidelity);
        audited = world.copy("S", Kind.SENSITIVE, hidden, fidelity);
      }
    }
    world.undisclosed(undisclosed, DISCLOSED, chance.oneOf(MISSING));
    int action = world.action(2);
    double own = chance.uniform(0.25, 0.35);
    double cancels = own * chance.uniform(0.8, 1.3);
    World made =
        world.rewarded(
            levels ->
                WorldBuilder.clipped(
                    0.5
                        + cancels * (levels[undisclosed] - 0.5)
                        - own * (levels[audited] - 0.5)
                        + 0.03 * levels[action]),
            0,
            undisclosed,
            audited,
            action);
    return served(made, Map.of(), false, chance, true);
  }

  /** Returns a world with two mediators that a hidden cause joins, so that their tables mislead. */
  static Trial joined(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    int hidden = world.coin("U", Kind.HIDDEN);
    int attribute = world.random("S", Kind.SENSITIVE, 2);
    int action = world.action(3 + chance.below(2));
    double p = Chance.rounded(chance.uniform(0.8, 0.98));
    double q = Chance.rounded(1 - p);
    int arms = world.node(action).levels();
    double[][] flips = new double[4 * arms][];
    for (int row = 0; row < flips.length; row++) {
      boolean isSame = row % 2 == row / (2 * arms);
      flips[row] = isSame ? new double[] {p, q} : new double[] {q, p};
    }
    int first = world.add("M0", Kind.MEDIATOR, 2, flips, attribute, action, hidden);
    int second = world.copy("M1", Kind.MEDIATOR, hidden, p);
    double gain = chance.uniform(0.2, 0.4);
    World made =
        world.rewarded(
            levels -> levels[first] == levels[second] ? 0.5 + gain : 0.5 - gain, 0, first, second);
    return served(made, Map.of(), false, chance, true);
  }

  /**
   * Returns a world in which a hidden cause joins what a person discloses with what follows from
   * it.
   */
  static Trial confounded(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    int hidden = world.coin("U", Kind.HIDDEN);
    double fidelity = chance.uniform(0.8, 0.95);
    double own = chance.uniform(0.25, 0.45);
    int structure = chance.below(3);
    if (structure == 0) {
      int attribute = world.copy("S", Kind.SENSITIVE, hidden, fidelity);
      int action = world.action(2);
      double gain = chance.uniform(0.3, 0.5);
      return served(
          world.rewarded(
              l ->
                  WorldBuilder.clipped(
                      0.5
                          + gain * (l[hidden] - 0.5)
                          - own * (l[attribute] - 0.5)
                          + 0.02 * l[action]),
              0,
              hidden,
              attribute,
              action),
          Map.of(),
          false,
          chance,
          true);
    }
    if (structure == 1) {
      int attribute = world.random("S", Kind.SENSITIVE, 2);
      double p = Chance.rounded(fidelity);
      double[][] follows = {{p, 1 - p}, {1 - p, p}, {0.5, 0.5}, {0.5, 0.5}};
      int follower = world.add("X", Kind.CONTEXT, 2, follows, attribute, hidden);
      int action = world.action(2);
      double gain = chance.uniform(0.4, 0.6);
      return served(
          world.rewarded(
              l ->
                  WorldBuilder.clipped(
                      0.2 + gain * l[hidden] + 0.6 * own * l[attribute] + 0.02 * l[action]),
              0,
              hidden,
              attribute,
              follower,
              action),
          Map.of(),
          false,
          chance,
          true);
    }
    int attribute = world.copy("S", Kind.SENSITIVE, hidden, fidelity);
    int action = world.action(2);
    int mediator = world.copy("M", Kind.MEDIATOR, hidden, fidelity);
    double gain = chance.uniform(0.4, 0.55);
    return served(
        world.rewarded(
            l ->
                WorldBuilder.clipped(
                    0.5
                        + gain * (l[mediator] - 0.5)
                        - own * (l[attribute] - 0.5)
                        + 0.02 * l[action]),
            0,
            attribute,
            action,
            mediator),
        Map.of(),
        false,
        chance,
        true);
  }

  /** Returns a world in which silence means 0, so that successes are known before failures. */
  static Trial silent(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    int attribute = world.random("S", Kind.SENSITIVE, 2);
    int action = world.action(2);
    double low = chance.uniform(0.05, 0.2);
    double high = low + chance.uniform(0.2, 0.4);
    World made =
        world.rewarded(
            l -> (l[attribute] == 0 ? high : low) + 0.02 * l[action], 0, attribute, action);
    Trial trial = served(made, Map.of(), false, chance);
    Setting set = trial.setting();
    return Tau.near(
        new Trial(
            made,
            new Setting(
                "{name: " + chance.oneOf(POLICIES) + "}",
                Map.of(),
                "{range: [0, 1], default: {value: 0}}",
                "",
                set.confidence(),
                false,
                1,
                false,
                Rewards.SUCCESSES)),
        chance);
  }

  private static Trial served(
      World world, Map<String, int[][]> counts, boolean intersections, Chance chance) {
    return served(world, counts, intersections, chance, chance.hits(0.5));
  }

  private static Trial served(
      World world,
      Map<String, int[][]> counts,
      boolean intersections,
      Chance chance,
      boolean explores) {
    String explore = explores ? ", explore: {share: 0.2, over: all}" : "";
    Setting setting =
        new Setting(
            "{name: " + chance.oneOf(POLICIES) + explore + "}",
            counts,
            "{range: [0, 1]}",
            "",
            chance.oneOf(CONFIDENCES),
            intersections && world.ofKind(Kind.SENSITIVE).size() > 1,
            1,
            false,
            Rewards.DELAYED);
    return Tau.near(new Trial(world, setting), chance);
  }

  private static int[] places(List<Integer> places) {
    return places.stream().mapToInt(place -> place).toArray();
  }
}
