package io.equipoise.lab.pcb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.lab.pcb.CausalBounds.Interval;
import io.equipoise.lab.pcb.LoggedWorld.Streams;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoggedWorldTest {
  private static final double TOLERANCE = 1e-9;

  private final LoggedWorld world = new LoggedWorld();

  @Test
  void effectsAreThoseOfTheClosedForm() {
    double[] truth = world.truth();
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      Map<String, Integer> at = PcbPlace.levels(place);
      double sum = .925 + .25 * at.get("X1") + at.get("U1") + at.get("X2");
      assertEquals(.1 + sum / 6, truth[place], TOLERANCE);
    }
    assertEquals(.47625, world.selected(), TOLERANCE);
  }

  @Test
  void soundBoundsOfTheExactLogHoldEveryEffectAndPoolingChangesNone() {
    List<Interval> unpooled = CausalBounds.SOUND.of(world.exact());
    List<Interval> pooled = CausalBounds.SOUND_POOLED.of(world.exact());
    double[] truth = world.truth();
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      assertTrue(pooled.get(place).contains(truth[place]));
      assertEquals(unpooled.get(place).lower(), pooled.get(place).lower(), TOLERANCE);
      assertEquals(unpooled.get(place).upper(), pooled.get(place).upper(), TOLERANCE);
    }
  }

  @Test
  void boundsOfTableOneExcludeTheEffectsOfRowsThreeFourSevenAndEight() {
    List<Interval> bounds = CausalBounds.TABLE1.of(world.exact());
    double[] truth = world.truth();
    for (int place : List.of(2, 3, 6, 7)) {
      assertTrue(!bounds.get(place).contains(truth[place]), "row " + (place + 1));
    }
  }

  @Test
  void withoutAContextTheCensusOfOneConfounderMakesBoundsOfEachArm() {
    List<Interval> bounds = CausalBounds.SOUND.withoutContext(world.exact());
    double[] upper = {.44117647058823534, .6078431372549019, .4320987654320988, .5987654320987654};
    double[] lower = {
      .23188405797101447, .39855072463768115, .21794871794871795, .3846153846153846
    };
    for (int arm = 0; arm < PcbPlace.ARMS; arm++) {
      assertEquals(lower[arm], bounds.get(arm).lower(), TOLERANCE);
      assertEquals(upper[arm], bounds.get(arm).upper(), TOLERANCE);
    }
  }

  @Test
  void equalSeedsDrawEqualLogs() {
    LoggedRounds one = world.sample(Streams.LOG.of(3), 1000);
    LoggedRounds other = world.sample(Streams.LOG.of(3), 1000);
    assertEquals(one, other);
    assertEquals(1000, one.everyone().total());
  }
}
