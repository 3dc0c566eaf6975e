package io.equipoise.lab.campaign;

import io.equipoise.lab.campaign.CampaignTrial.Effect;
import io.equipoise.lab.campaign.CampaignTrial.Rewards;
import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.List;
import java.util.Map;

/**
 * Draws worlds for best-arm experiments: an attribute, a context, and arms that draw an offer. The
 * threshold is just below the effect of an arm, where a wrong certificate is most likely.
 */
final class BestArmWorlds {
  /** Enough for every sample, even if few people are samples. */
  static final int MOST_ROUNDS = 8000;

  private static final int SAMPLES = 2000;
  private static final double LEAST = 0.02;
  private static final List<String> MODES = List.of("natural", "separate", "pooled");

  private BestArmWorlds() {}

  static CampaignTrial random(Chance chance) {
    WorldBuilder world = new WorldBuilder(chance);
    int attribute = world.random("S", Role.SENSITIVE, 2);
    int cell = world.random("X", Role.CONTEXT, 2 + chance.below(2), attribute);
    int action = world.action(3 + chance.below(2));
    int offer = world.random("M", Role.MEDIATOR, 2 + chance.below(2), action, cell);
    double strength = chance.uniform(0.2, 0.4);
    StructuralModel made =
        world.rewarded(
            l -> WorldBuilder.clipped(0.5 + strength * chance.gaussian()), 0, offer, cell);
    BestArmTruth truth = new BestArmTruth(made, 1);
    double effect = Math.abs(truth.effect(chance.below(CampaignTrial.arms(made))));
    double tau = Math.max(LEAST, Chance.rounded(effect * chance.uniform(0.85, 1)));
    String estimate = chance.hits(0.3) ? "direct" : "counterfactual";
    String policy =
        "{name: csr-v2, samples: %d, control: a0, mode: %s, estimate: %s, budget: 1}"
            .formatted(SAMPLES, chance.oneOf(MODES), estimate);
    return new CampaignTrial(
        made,
        policy,
        Map.of(),
        CampaignTrial.BINARY,
        "",
        false,
        tau,
        Effect.TERMINAL,
        Rewards.DELAYED);
  }
}
