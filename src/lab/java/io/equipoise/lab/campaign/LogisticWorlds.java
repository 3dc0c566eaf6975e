package io.equipoise.lab.campaign;

import io.equipoise.lab.campaign.CampaignTrial.Effect;
import io.equipoise.lab.campaign.CampaignTrial.Rewards;
import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Draws worlds for logistic regression. In {@link #random} the log odds are linear in the features,
 * with a parameter within the default norm.
 */
final class LogisticWorlds {
  /** Hazards with log odds that are linear where the means of the others are linear. */
  static final Hazards HAZARDS = new Hazards(LogisticWorlds::mean, 0);

  private static final List<String> POLICIES =
      List.of("screen", "dual-upper", "cclb", "forced-exploration");

  private LogisticWorlds() {}

  /** Returns a world of one or two attributes and a context that may follow from the first. */
  static CampaignTrial random(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    List<Integer> places = new ArrayList<>();
    places.add(world.random("S", Role.SENSITIVE, 2));
    if (chance.hits(0.3)) {
      places.add(world.random("T", Role.SENSITIVE, 2));
    }
    places.add(
        chance.hits(0.4)
            ? world.copy("X", Role.CONTEXT, places.get(0), chance.uniform(0.5, 0.9))
            : world.random("X", Role.CONTEXT, 2 + chance.below(4)));
    places.add(world.action(2 + chance.below(2)));
    double[][] odds = new double[world.size()][];
    for (int place : places) {
      double most = world.node(place).role() == Role.SENSITIVE ? 0.9 : 0.5;
      odds[place] = new double[world.node(place).levels().size()];
      for (int level = 0; level < odds[place].length; level++) {
        odds[place][level] = chance.uniform(-most, most);
      }
    }
    StructuralModel made =
        world.rewarded(
            l -> {
              double sum = 0;
              for (int place : places) {
                sum += odds[place][l[place]];
              }
              return sigmoid(sum);
            },
            0,
            places.stream().mapToInt(place -> place).toArray());
    return served(made, chance);
  }

  /** Returns a world of many features and a large effect, as it is before there are data. */
  static CampaignTrial early(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    int attribute = world.random("S", Role.SENSITIVE, 2);
    int levels = 20 + chance.below(60);
    int context = world.random("X", Role.CONTEXT, levels);
    int action = world.action(2);
    double odds = chance.uniform(1, 1.6);
    StructuralModel made =
        world.rewarded(
            l -> sigmoid(l[attribute] == 0 ? -odds : odds), 0, attribute, context, action);
    return served(made, chance);
  }

  /** Serves a world under one of the policies. */
  static CampaignTrial served(StructuralModel world, Chance chance) {
    return served(world, CampaignTrial.BINARY, Rewards.DELAYED, chance);
  }

  /** Serves a world in which silence means 0. */
  static CampaignTrial silent(StructuralModel world, Chance chance) {
    return served(world, CampaignTrial.SILENCE_MEANS_0, Rewards.SUCCESSES, chance);
  }

  private static CampaignTrial served(
      StructuralModel world, String reward, Rewards rewards, Chance chance) {
    String explore = chance.hits(0.5) ? ", explore: {share: 0.2, over: all}" : "";
    String policy = "{name: " + chance.oneOf(POLICIES) + explore + "}";
    return new CampaignTrial(world, policy, Map.of(), reward, "", false, 1, Effect.DIRECT, rewards)
        .nearEffects(chance);
  }

  /** Returns the mean whose log odds are linear in a score around 0.5. */
  static double mean(double score) {
    return sigmoid(4 * (score - 0.5));
  }

  private static double sigmoid(double odds) {
    return 1 / (1 + Math.exp(-odds));
  }
}
