package io.equipoise.lab.campaign;

import io.equipoise.lab.campaign.CampaignSetting.Effect;
import io.equipoise.lab.campaign.Node.Kind;

/**
 * Draws thresholds near the true effects of a world, where a verdict is easiest to get wrong: some
 * effects lie inside, some outside.
 */
final class Tau {
  private static final int PEOPLE = 6;
  private static final double LEAST = 0.02;

  private Tau() {}

  /**
   * Returns the trial with a threshold of 0.7 to 1.3 times the greatest of some people's effects.
   */
  static CampaignTrial near(CampaignTrial trial, Chance chance) {
    CampaignWorld world = trial.world();
    ExactEffect truth = new ExactEffect(world, trial.setting().effect() == Effect.DIRECT);
    double most = 0;
    for (int i = 0; i < PEOPLE; i++) {
      int[] person = world.person(chance);
      int[] disclosed = person.clone();
      for (int place = 0; place < disclosed.length; place++) {
        disclosed[place] =
            world.nodes().get(place).isFeature() ? person[place] : ExactEffect.UNDISCLOSED;
      }
      Node attribute = chance.oneOf(world.ofKind(Kind.SENSITIVE));
      int place = world.place(attribute.name());
      int other = (person[place] + 1) % attribute.levels();
      int arm = chance.below(world.nodes().get(world.action()).levels());
      double[] effects =
          truth.of(disclosed, new int[] {place}, new int[] {person[place]}, new int[] {other}, arm);
      most = Math.max(most, Math.max(Math.abs(effects[0]), Math.abs(effects[1])));
    }
    double tau = Math.max(LEAST, Chance.rounded(most * chance.uniform(0.7, 1.3)));
    return new CampaignTrial(world, trial.setting().withTau(tau));
  }
}
