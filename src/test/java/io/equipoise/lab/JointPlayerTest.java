package io.equipoise.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.policy.tabular.PerRoundConfidence;
import io.equipoise.simulation.Environment;
import io.equipoise.simulation.Environment.Twin;
import io.equipoise.simulation.Round;
import io.equipoise.simulation.StructuralModel;
import java.util.List;
import org.junit.jupiter.api.Test;

class JointPlayerTest {
  private static final StructuralModel MODEL = AdultVideo.model(AdultCommand.Edge.SEX_TO_INCOME);

  /** Videos that differ in ratings and views: worth nothing, 1/5, 2/5. */
  private static final List<int[]> VIDEOS =
      List.of(new int[] {0, 0, 0, 0}, new int[] {0, 1, 0, 0}, new int[] {0, 1, 1, 0});

  /** Age 30 to 49, female, White, above 50K. */
  private static final int[] RICH = {1, 0, 1, 1};

  private final Environment environment = new Environment(MODEL, VIDEOS);

  private JointPlayer player(double tau) {
    return new JointPlayer(MODEL, environment, tau, 1, new PerRoundConfidence(0, 1, .1));
  }

  private void teach(JointPlayer player, int[] person, int times) {
    for (int t = 1; t <= times; t++) {
      for (int arm = 0; arm < VIDEOS.size(); arm++) {
        player.learn(
            new Round(person, new double[0], 0),
            arm,
            new Environment.SimulatedOutcome(new int[0], environment.means(person)[arm]),
            t);
      }
    }
  }

  @Test
  void aTwinKeepsHisOwnChanceOfTheIncome() {
    List<Twin> twins = environment.twins(RICH);
    assertEquals(2, twins.size());
    assertArrayEquals(new int[] {1, 1, 1, 0}, twins.get(0).context());
    assertArrayEquals(new int[] {1, 1, 1, 1}, twins.get(1).context());
    assertEquals(1, twins.get(1).chance(), "who is rich as a woman is so as a man");
    double poorNow = 1 - .1814;
    double asAMan = environment.twins(new int[] {1, 0, 1, 0}).get(1).chance();
    assertEquals((.3925 - .1814) / poorNow, asAMan, 1e-12);
    double asAWoman = environment.twins(new int[] {1, 1, 1, 1}).get(1).chance();
    assertEquals(.1814 / .3925, asAWoman, 1e-12);
  }

  @Test
  void withoutDataOneArmServesAllWhereItsKnownEffectAllows() {
    int[] poor = {1, 0, 1, 0};
    List<Twin> twins = environment.twins(poor);
    JointPlayer strict = player(.01);
    int[] arms = strict.choose(poor, twins, 1);
    assertTrue(strict.fellBack());
    assertArrayEquals(new int[] {arms[0], arms[0], arms[0]}, arms);
    JointPlayer lenient = player(.06);
    lenient.choose(poor, twins, 1);
    assertFalse(lenient.fellBack(), ".258 * .2 is within .06");
  }

  @Test
  void whatIsLearnedCertifiesTwoArmsThatMakeUpForTheIncome() {
    int[] poor = {1, 1, 1, 1};
    JointPlayer player = player(.05);
    teach(player, poor, 4_000);
    teach(player, new int[] {1, 1, 1, 0}, 4_000);
    List<Twin> twins = environment.twins(poor);
    int[] arms = player.choose(poor, twins, 9_000);
    assertFalse(player.fellBack());
    assertNotEquals(arms[1], arms[0], "who lost the income gets the better video");
    double apart = environment.means(poor)[arms[0]];
    for (int i = 0; i < twins.size(); i++) {
      apart -= twins.get(i).chance() * environment.means(twins.get(i).context())[arms[1 + i]];
    }
    assertTrue(Math.abs(apart) <= .05, "apart by " + apart);
  }
}
