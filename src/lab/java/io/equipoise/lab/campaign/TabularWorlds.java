package io.equipoise.lab.campaign;

import io.equipoise.lab.campaign.CampaignTrial.Effect;
import io.equipoise.lab.campaign.CampaignTrial.Rewards;
import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Node;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws worlds for policies over cells. In {@link #random} and {@link #counted} all that the
 * certificate assumes is true.
 */
final class TabularWorlds {
  private static final List<String> POLICIES = List.of("ucb", "c-ucb", "d-ucb", "f-ucb");
  private static final List<String> CONFIDENCES = List.of("sub-gaussian", "joint");
  private static final List<String> MISSING = List.of("level", "marginalize");
  private static final double DISCLOSED = 0.7;

  private TabularWorlds() {}

  /** Returns a random graph with one or two attributes, followers, and up to two mediators. */
  static CampaignTrial random(Chance chance) {
    return served(graph(chance), Map.of(), chance.hits(0.3), chance, chance.hits(0.5));
  }

  /** Returns the same with tables that were estimated from 30 to 5,000 observations a row. */
  static CampaignTrial counted(Chance chance) {
    StructuralModel world = graph(chance);
    Map<String, int[][]> counts = new HashMap<>();
    for (Node node : world.of(Role.MEDIATOR)) {
      boolean isJoined =
          Arrays.stream(node.parents()).anyMatch(p -> world.node(p).role() == Role.HIDDEN);
      if (!isJoined) {
        counts.put(node.name(), counts(node, chance));
      }
    }
    return served(world, counts, false, chance, chance.hits(0.5));
  }

  private static int[][] counts(Node node, Chance chance) {
    int[][] counts = new int[node.rows().length][node.levels().size()];
    for (int row = 0; row < counts.length; row++) {
      int n = (int) Math.exp(chance.uniform(Math.log(30), Math.log(5000)));
      for (int i = 0; i < n; i++) {
        counts[row][StructuralModel.level(node.rows()[row], chance.unit())]++;
      }
    }
    return counts;
  }

  private static StructuralModel graph(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    boolean hasHidden = chance.hits(0.2);
    int hidden = hasHidden ? world.random("U", Role.HIDDEN, 2) : -1;
    List<Integer> people = new ArrayList<>();
    people.add(world.random("S", Role.SENSITIVE, 2));
    if (chance.hits(0.4)) {
      people.add(world.random("T", Role.SENSITIVE, 2));
      if (chance.hits(0.3)) {
        world.undisclosed(people.get(1), DISCLOSED, chance.oneOf(MISSING));
      }
    } else if (chance.hits(0.3)) {
      world.undisclosed(people.get(0), DISCLOSED, "level");
    }
    boolean isFollower = world.node(0).missing() == null && chance.hits(0.4);
    people.add(
        isFollower
            ? world.random("X", Role.CONTEXT, 2 + chance.below(2), people.get(0))
            : world.random("X", Role.CONTEXT, 2 + chance.below(2)));
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
      last = world.random("M" + i, Role.MEDIATOR, 2, places(causes));
      paid.add(last);
    }
    if (hasHidden && mediators > 0) {
      paid.add(hidden);
    }
    return paid(world, paid, chance);
  }

  private static StructuralModel paid(WorldBuilder world, List<Integer> paid, Chance chance) {
    double middle = chance.uniform(0.35, 0.65);
    return world.rewarded(
        levels -> WorldBuilder.clipped(middle + 0.25 * chance.gaussian()), 0, places(paid));
  }

  /** Returns a world in which people may not disclose what matters for the attribute's effect. */
  static CampaignTrial undisclosed(Chance chance, boolean isSelective) {
    Hazards hazards = Hazards.LINEAR;
    StructuralModel world =
        chance.hits(0.4)
            ? hazards.undisclosedCause(chance, isSelective)
            : hazards.undisclosed(chance, isSelective, isSelective);
    return hazard(world, chance);
  }

  /** Serves a world whose structure is the hazard; exploration fills the cells. */
  static CampaignTrial hazard(StructuralModel world, Chance chance) {
    return served(world, Map.of(), false, chance, true);
  }

  /** Serves a world in which silence means 0. */
  static CampaignTrial silent(StructuralModel world, Chance chance) {
    String policy = "{name: " + chance.oneOf(POLICIES) + "}";
    return new CampaignTrial(
            world,
            policy,
            Map.of(),
            CampaignTrial.SILENCE_MEANS_0,
            chance.oneOf(CONFIDENCES),
            false,
            1,
            Effect.TOTAL,
            Rewards.SUCCESSES)
        .nearEffects(chance);
  }

  private static CampaignTrial served(
      StructuralModel world,
      Map<String, int[][]> counts,
      boolean intersections,
      Chance chance,
      boolean explores) {
    String explore = explores ? ", explore: {share: 0.2, over: all}" : "";
    String policy = "{name: " + chance.oneOf(POLICIES) + explore + "}";
    String confidence = chance.oneOf(CONFIDENCES);
    boolean joint = intersections && world.of(Role.SENSITIVE).size() > 1;
    return new CampaignTrial(
            world,
            policy,
            counts,
            CampaignTrial.BINARY,
            confidence,
            joint,
            1,
            Effect.TOTAL,
            Rewards.DELAYED)
        .nearEffects(chance);
  }

  private static int[] places(List<Integer> places) {
    return places.stream().mapToInt(place -> place).toArray();
  }
}
