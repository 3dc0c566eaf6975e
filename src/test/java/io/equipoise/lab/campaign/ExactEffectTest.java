package io.equipoise.lab.campaign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.lab.campaign.Node.Kind;
import org.junit.jupiter.api.Test;

/** Worlds small enough to be computed on paper. */
class ExactEffectTest {
  private static final double TOLERANCE = 1e-12;
  private static final int UNDISCLOSED = ExactEffect.UNDISCLOSED;

  @Test
  void aCauseThatIsNotDisclosedIsTheSameInBothWorlds() {
    WorldBuilder world = new WorldBuilder(new Chance(1, 1));
    int cause = world.coin("X", Kind.CONTEXT);
    int attribute = world.copy("S", Kind.SENSITIVE, cause, 0.9);
    int action = world.action(2);
    CampaignWorld made =
        world.rewarded(l -> l[cause] == 0 ? 0.2 + 0.1 * l[attribute] : 0.5, 0, cause, attribute);
    ExactEffect truth = new ExactEffect(made, false);
    int[] disclosed = {UNDISCLOSED, 0, UNDISCLOSED};
    double[] effects = truth.of(disclosed, new int[] {attribute}, new int[] {0}, new int[] {1}, 0);
    assertEquals(action, made.action());
    assertArrayEquals(new double[] {0.09, 0.09}, effects, TOLERANCE, "P(x0 | s0) = 0.9");
    double[] known =
        truth.of(new int[] {1, 0, UNDISCLOSED}, new int[] {1}, new int[] {0}, new int[] {1}, 0);
    assertArrayEquals(new double[] {0, 0}, known, TOLERANCE);
  }

  @Test
  void aFollowerRespondsByItsRankOrByANewDraw() {
    WorldBuilder world = new WorldBuilder(new Chance(1, 1));
    int attribute = world.coin("S", Kind.SENSITIVE);
    int follower =
        world.add("X", Kind.CONTEXT, 2, new double[][] {{0.6, 0.4}, {0.2, 0.8}}, attribute);
    world.action(2);
    CampaignWorld made = world.rewarded(l -> l[follower], 0, follower);
    int[] disclosed = {0, 1, UNDISCLOSED};
    int[] first = {attribute};
    double[] effects =
        new ExactEffect(made, false).of(disclosed, first, new int[] {0}, new int[] {1}, 0);
    assertArrayEquals(new double[] {0, 0.8 - 1}, effects, TOLERANCE, "ranks above 0.6 stay at x1");
    double[] direct =
        new ExactEffect(made, true).of(disclosed, first, new int[] {0}, new int[] {1}, 0);
    assertArrayEquals(new double[] {0, 0}, direct, TOLERANCE, "the follower is held");
  }

  @Test
  void mediatorsFollowTheAttributeAndTheirHiddenCause() {
    WorldBuilder world = new WorldBuilder(new Chance(1, 1));
    int hidden = world.coin("U", Kind.HIDDEN);
    int attribute = world.coin("S", Kind.SENSITIVE);
    world.action(2);
    double[][] same = {{1, 0}, {0, 1}, {0, 1}, {1, 0}};
    int first = world.add("M", Kind.MEDIATOR, 2, same, attribute, hidden);
    CampaignWorld made = world.rewarded(l -> l[first] == l[hidden] ? 0.9 : 0.1, 0, first, hidden);
    int[] disclosed = {UNDISCLOSED, 0, UNDISCLOSED, UNDISCLOSED};
    double[] effects =
        new ExactEffect(made, false)
            .of(disclosed, new int[] {attribute}, new int[] {0}, new int[] {1}, 0);
    assertArrayEquals(new double[] {-0.8, -0.8}, effects, TOLERANCE);
  }

  @Test
  void simulatedMeansAgreeWithTheEnumeration() {
    CampaignTrial campaignTrial =
        TabularWorlds.hazard(Hazards.LINEAR.confounded(new Chance(4, 0)), new Chance(4, 1));
    CampaignWorld campaignWorld = campaignTrial.world();
    Chance chance = new Chance(5, 0);
    int place = campaignWorld.place("S");
    double[] sums = new double[2];
    int rows = 0;
    for (int i = 0; i < 200_000; i++) {
      int[] person = campaignWorld.person(chance);
      if (person[place] == 0) {
        rows++;
        sums[0] += campaignWorld.respond(person.clone(), 1, chance);
        person[place] = 1;
        sums[1] += campaignWorld.respond(person, 1, chance);
      }
    }
    int[] disclosed = new int[campaignWorld.nodes().size()];
    java.util.Arrays.fill(disclosed, UNDISCLOSED);
    double[] effects =
        new ExactEffect(campaignWorld, true)
            .of(disclosed, new int[] {place}, new int[] {0}, new int[] {1}, 1);
    assertEquals(effects[0], (sums[1] - sums[0]) / rows, 0.01);
  }
}
