package io.equipoise.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.segment.replay.ShadowReplay;
import io.equipoise.segment.replay.ShadowReplay.Shadow;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.simulate.SimulationSpecs;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShadowReplayTest {
  private static final String FEATURES =
      "explore: {share: 0.2, over: all}, features: [intercept, one-hot: income, one-hot: gender,"
          + " one-hot: offer, product: [{one-hot: gender}, {one-hot: offer}]]";

  static List<CompiledSpec> champions() {
    return List.of(
        SimulationSpecs.cells(),
        SimulationSpecs.ridge(),
        SimulationSpecs.dual(),
        SimulationSpecs.of("{name: screen, theta-norm: 5, " + FEATURES + "}"),
        SimulationSpecs.of("{name: ucb, constraint: dual}"));
  }

  @ParameterizedTest
  @MethodSource("champions")
  void theChampionAsItsOwnChallengerHasThePropensitiesOfTheLog(CompiledSpec champion) {
    WatchedLog log = new WatchedLog(champion).play(400);
    ShadowReplay replay = new ShadowReplay(champion, WatchedLog.SEGMENT, log);
    int rows = 0;
    for (LoggedRecord logged : log.records) {
      if (logged.output() instanceof SegmentEvent segmentEvent) {
        replay.onSegmentEvent(segmentEvent);
      } else if (logged.output() instanceof Decision decision) {
        Shadow shadow = Objects.requireNonNull(replay.onDecision(decision));
        List<Double> ofShadow = Arrays.stream(shadow.propensities()).boxed().toList();
        assertEquals(decision.propensitiesOf(champion.armIds()), ofShadow, "row " + rows);
        assertEquals(decision.certified(), shadow.isCertified(), "row " + rows);
        rows++;
      }
    }
    assertEquals(400, rows);
  }

  @Test
  void levelsAreTranslatedByTheirNames() {
    CompiledSpec champion = SimulationSpecs.cells();
    CompiledSpec reordered =
        CompiledSpec.of(
            SpecParser.parse(champion.spec().text().replace("[low, high]", "[middle, high, low]")));
    WatchedLog log = new WatchedLog(champion).play(400);
    ShadowReplay same = new ShadowReplay(champion, WatchedLog.SEGMENT, log);
    ShadowReplay other = new ShadowReplay(reordered, WatchedLog.SEGMENT, log);
    for (LoggedRecord logged : log.records) {
      if (logged.output() instanceof SegmentEvent segmentEvent) {
        same.onSegmentEvent(segmentEvent);
        other.onSegmentEvent(segmentEvent);
      } else if (logged.output() instanceof Decision decision) {
        double[] one = Objects.requireNonNull(same.onDecision(decision)).propensities();
        double[] two = Objects.requireNonNull(other.onDecision(decision)).propensities();
        assertTrue(Arrays.equals(one, two) || decision.seq() < 200, "seq " + decision.seq());
      }
    }
  }
}
