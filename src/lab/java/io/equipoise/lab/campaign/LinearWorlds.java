package io.equipoise.lab.campaign;

import io.equipoise.lab.ModelText;
import io.equipoise.lab.campaign.CampaignTrial.Effect;
import io.equipoise.lab.campaign.CampaignTrial.Rewards;
import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Draws worlds for ridge regression, whose means are linear in the features. In {@link #random} all
 * that the certificate assumes is true.
 */
final class LinearWorlds {
  private static final List<String> CONSTRAINTS = List.of("none", "hard", "screen", "dual");
  private static final List<String> MODELS = List.of("disjoint", "shared");
  private static final double SMALL_NOISE = 0.1;

  private LinearWorlds() {}

  /**
   * Returns a world of one or two attributes, a context that may follow, and a mediator or none.
   */
  static CampaignTrial random(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    List<Integer> places = new ArrayList<>();
    places.add(world.random("S", Role.SENSITIVE, 2));
    if (chance.hits(0.4)) {
      places.add(world.random("T", Role.SENSITIVE, 2));
    }
    if (chance.hits(0.5)) {
      places.add(world.copy("X", Role.CONTEXT, places.get(0), chance.uniform(0.5, 0.95)));
    } else {
      int context = world.random("X", Role.CONTEXT, 2 + chance.below(2));
      places.add(context);
      if (chance.hits(0.4)) {
        world.undisclosed(context, 0.7, "level");
      }
    }
    places.add(world.action(2 + chance.below(2)));
    double[][] effects = new double[world.size()][];
    for (int place : places) {
      double most = world.node(place).role() == Role.SENSITIVE ? 0.2 : 0.1;
      effects[place] = new double[world.node(place).levels().size()];
      for (int level = 0; level < effects[place].length; level++) {
        effects[place][level] = chance.uniform(-most, most);
      }
    }
    if (chance.hits(0.3)) {
      places.add(mediator(world, chance));
    }
    double noise = chance.hits(0.5) ? SMALL_NOISE : 0;
    StructuralModel made =
        world.rewarded(
            l -> {
              double mean = 0.5;
              for (int place : places) {
                mean += place < effects.length ? effects[place][l[place]] : 0.1 * l[place];
              }
              return mean;
            },
            noise,
            places.stream().mapToInt(place -> place).toArray());
    return served(made, "", chance.hits(0.5) ? ", theta-norm: 1.2" : "", chance);
  }

  /** Adds a mediator that attribute and arm shift, each by itself. */
  private static int mediator(WorldBuilder world, Chance chance) {
    int attribute = 0;
    int action = world.size() - 1;
    int arms = world.node(action).levels().size();
    double shift = Chance.rounded(chance.uniform(-0.3, 0.3));
    double[][] table = new double[2 * arms][];
    for (int row = 0; row < table.length; row++) {
      int level = row / arms;
      double p = Chance.rounded(0.35 + shift * level + 0.1 * (row % arms));
      table[row] = new double[] {Chance.rounded(1 - p), p};
    }
    return world.add("M", Role.MEDIATOR, 2, table, attribute, action);
  }

  /**
   * Returns hazards for a linear model: half of them with little noise, which shows bias sooner.
   */
  static Hazards hazards(Chance chance) {
    return new Hazards(WorldBuilder::clipped, chance.hits(0.6) ? SMALL_NOISE : 0);
  }

  /** Serves a world with a default norm that is large enough for it. */
  static CampaignTrial served(StructuralModel world, Chance chance) {
    return served(world, "", "", chance);
  }

  /** Returns a world with a number that follows the attribute and is not always disclosed. */
  static CampaignTrial number(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    int attribute = world.coin("S", Role.SENSITIVE);
    double[][] table = {{0.55, 0.3, 0.1, 0.03, 0.02}, {0.02, 0.03, 0.1, 0.3, 0.55}};
    int number = world.add("X", Role.CONTEXT, 5, table, attribute);
    double[] numbers = {0.1, 0.3, 0.5, 0.7, 0.9};
    world.numbers(number, numbers);
    world.undisclosed(number, 0.7, "level");
    int action = world.action(2);
    double own = chance.uniform(0.15, 0.3);
    double gain = chance.uniform(0.3, 0.5);
    StructuralModel made =
        world.rewarded(
            l -> 0.5 + gain * (numbers[l[number]] - 0.5) - own * (l[attribute] - 0.5),
            SMALL_NOISE,
            attribute,
            number,
            action);
    String features =
        ", features: [intercept, {number: X}, {one-hot: S}, {one-hot: A},"
            + " {product: [{one-hot: S}, {one-hot: A}]}]";
    return served(made, features, ", theta-norm: 1.2", chance);
  }

  /** Returns a world whose features are so small that the default norm is far below theta's. */
  static CampaignTrial small(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    int attribute = world.random("S", Role.SENSITIVE, 2);
    int levels = 9;
    double[] incomes = new double[levels];
    for (int level = 0; level < levels; level++) {
      incomes[level] = 20_000 + 5_000 * level;
    }
    int number = world.random("X", Role.CONTEXT, levels);
    world.numbers(number, incomes);
    int action = world.action(2);
    double slope = chance.uniform(6, 14);
    StructuralModel made =
        world.rewarded(
            l -> 0.1 + (l[attribute] == 0 ? 1 : slope) * incomes[l[number]] / 1e6,
            0,
            attribute,
            number,
            action);
    String features =
        ", features: [intercept, {one-hot: A}, {one-hot: S}, {product: [{one-hot: S},"
            + " {one-hot: A}]}, {product: [{one-hot: S}, {number: {of: X, scale: 1000000}}]}]";
    return served(made, features, "", chance);
  }

  /** Serves a world in which silence means 0. */
  static CampaignTrial silent(StructuralModel world, Chance chance) {
    String policy = "{name: linucb, model: " + chance.oneOf(MODELS) + ", theta-norm: 1.2}";
    String reward = CampaignTrial.SILENCE_MEANS_0;
    return new CampaignTrial(
            world, policy, Map.of(), reward, "", false, 1, Effect.DIRECT, Rewards.SUCCESSES)
        .nearEffects(chance);
  }

  private static CampaignTrial served(
      StructuralModel world, String features, String norm, Chance chance) {
    boolean isShared = chance.hits(0.5);
    String policy =
        "{name: linucb, model: %s, constraint: %s, explore: {share: 0.2, over: all}%s%s}"
            .formatted(MODELS.get(isShared ? 1 : 0), chance.oneOf(CONSTRAINTS), norm, features);
    String reward =
        world.noise() == 0
            ? CampaignTrial.BINARY
            : "{range: [0, 1], bounded: false, scale: " + ModelText.number(world.noise()) + "}";
    boolean hasTwo = world.of(Role.SENSITIVE).size() > 1;
    boolean joint = hasTwo && chance.hits(0.3);
    return new CampaignTrial(
            world, policy, Map.of(), reward, "", joint, 1, Effect.DIRECT, Rewards.DELAYED)
        .nearEffects(chance);
  }
}
