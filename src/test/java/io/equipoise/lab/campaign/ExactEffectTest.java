package io.equipoise.lab.campaign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Worlds small enough to be computed on paper. */
class ExactEffectTest {
  private static final double TOLERANCE = 1e-12;
  private static final int UNDISCLOSED = ExactEffect.UNDISCLOSED;

  @Test
  void aCauseThatIsNotDisclosedIsTheSameInBothWorlds() {
    WorldBuilder world = new WorldBuilder(new Chance(1, 1));
    int cause = world.coin("X", Role.CONTEXT);
    int attribute = world.copy("S", Role.SENSITIVE, cause, 0.9);
    int action = world.action(2);
    StructuralModel made =
        world.rewarded(l -> l[cause] == 0 ? 0.2 + 0.1 * l[attribute] : 0.5, 0, cause, attribute);
    ExactEffect truth = new ExactEffect(made, false);
    int[] disclosed = {UNDISCLOSED, 0, UNDISCLOSED};
    double[] effects = truth.of(disclosed, new int[] {attribute}, new int[] {0}, new int[] {1}, 0);
    assertEquals(List.of(made.node(action)), made.of(Role.ACTION));
    assertArrayEquals(new double[] {0.09, 0.09}, effects, TOLERANCE, "P(x0 | s0) = 0.9");
    double[] known =
        truth.of(new int[] {1, 0, UNDISCLOSED}, new int[] {1}, new int[] {0}, new int[] {1}, 0);
    assertArrayEquals(new double[] {0, 0}, known, TOLERANCE);
  }

  @Test
  void aFollowerRespondsByItsRankOrByANewDraw() {
    WorldBuilder world = new WorldBuilder(new Chance(1, 1));
    int attribute = world.coin("S", Role.SENSITIVE);
    int follower =
        world.add("X", Role.CONTEXT, 2, new double[][] {{0.6, 0.4}, {0.2, 0.8}}, attribute);
    world.action(2);
    StructuralModel made = world.rewarded(l -> l[follower], 0, follower);
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
    int hidden = world.coin("U", Role.HIDDEN);
    int attribute = world.coin("S", Role.SENSITIVE);
    world.action(2);
    double[][] same = {{1, 0}, {0, 1}, {0, 1}, {1, 0}};
    int first = world.add("M", Role.MEDIATOR, 2, same, attribute, hidden);
    StructuralModel made = world.rewarded(l -> l[first] == l[hidden] ? 0.9 : 0.1, 0, first, hidden);
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
    StructuralModel campaignWorld = campaignTrial.world();
    Chance chance = new Chance(5, 0);
    int place = campaignWorld.node("S").place();
    double[] sums = new double[2];
    int rows = 0;
    for (int i = 0; i < 200_000; i++) {
      int[] person = campaignWorld.person(chance::unit);
      if (person[place] == 0) {
        rows++;
        sums[0] += WorldPlay.respond(campaignWorld, person.clone(), 1, chance);
        person[place] = 1;
        sums[1] += WorldPlay.respond(campaignWorld, person, 1, chance);
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
