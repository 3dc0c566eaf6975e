package io.equipoise.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.simulate.SimulationSpecs;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChallengerCheckTest {
  private static final CompiledSpec CHAMPION = SimulationSpecs.cells();

  private static CompiledSpec with(String piece, String other) {
    String text = CHAMPION.spec().text();
    assertEquals(true, text.contains(piece), text);
    return CompiledSpec.of(SpecParser.parse(text.replace(piece, other)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "reward: {range: [0, 1]} | reward: {range: [0, 2]} | REWARD_DIFFERS",
        "reward-window: 1d | reward-window: 2d | REWARD_DIFFERS",
        "levels: [low, high] | levels: [low, high, higher] |",
        "levels: [low, high] | levels: [low, higher] | VARIABLE_DIFFERS",
        "missing: level | missing: reject | VARIABLE_DIFFERS",
        "fairness: | 'idle-state: {after: 30d, retain: model}\nfairness:' | IDLE_STATE",
      })
  void aChallengerThatCannotBeReplayedIsRefused(String piece, String other, WatchRefusal code) {
    RefusedWatch refused = ChallengerCheck.of(CHAMPION, with(piece, other.replace("\\n", "\n")));
    assertEquals(code, refused == null ? null : refused.code());
  }

  @Test
  void aPolicyThatSamplesIsRefused() {
    CompiledSpec sampling =
        SimulationSpecs.of("{name: lin-ts, features: [intercept, one-hot: offer]}");
    RefusedWatch refused = ChallengerCheck.of(CHAMPION, sampling);
    assertEquals(WatchRefusal.ESTIMATED_PROPENSITIES, Objects.requireNonNull(refused).code());
    assertNull(ChallengerCheck.of(CHAMPION, SimulationSpecs.ridge()));
  }

  @Test
  void groupsNeedSensitiveVariablesAndKnownArms() {
    assertNull(
        ChallengerCheck.ofGroups(CHAMPION, List.of("gender"), List.of("offer=large"), false));
    for (List<String> attributes : List.of(List.of("income"), List.of("age"))) {
      RefusedWatch refused = ChallengerCheck.ofGroups(CHAMPION, attributes, List.of(), true);
      assertEquals(WatchRefusal.VARIABLE_DIFFERS, Objects.requireNonNull(refused).code());
    }
    RefusedWatch arm =
        ChallengerCheck.ofGroups(CHAMPION, List.of("gender"), List.of("huge"), false);
    assertEquals(WatchRefusal.VARIABLE_DIFFERS, Objects.requireNonNull(arm).code());
  }
}
