package io.equipoise.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.simulate.SimulationSpecs;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
    CompiledSpec challenger = with(piece, other.replace("\\n", "\n"));
    assertEquals(code, code(() -> ChallengerCheck.check(CHAMPION, challenger)));
  }

  @Test
  void theChampionMayChallengeItself() {
    assertNull(code(() -> ChallengerCheck.check(CHAMPION, CHAMPION)));
    assertNull(code(() -> ChallengerCheck.check(CHAMPION, with("tau: 0.2", "tau: 0.3"))));
  }

  @Test
  void aPolicyThatSamplesIsRefused() {
    CompiledSpec sampling =
        SimulationSpecs.of("{name: lin-ts, features: [intercept, one-hot: offer]}");
    assertEquals(
        WatchRefusal.ESTIMATED_PROPENSITIES, code(() -> ChallengerCheck.check(CHAMPION, sampling)));
    assertNull(code(() -> ChallengerCheck.check(CHAMPION, SimulationSpecs.ridge())));
  }

  @Test
  void groupsNeedSensitiveVariablesAndKnownArms() {
    assertNull(groups("gender", List.of("offer=large"), false));
    for (String attribute : List.of("income", "age")) {
      assertEquals(WatchRefusal.VARIABLE_DIFFERS, groups(attribute, List.of(), true));
    }
    assertEquals(WatchRefusal.VARIABLE_DIFFERS, groups("gender", List.of("huge"), false));
  }

  private static @Nullable WatchRefusal groups(
      String attribute, List<String> arms, boolean isOfReward) {
    return code(() -> ChallengerCheck.checkGroups(CHAMPION, List.of(attribute), arms, isOfReward));
  }

  /** Returns the code of a refusal, null if there is none. */
  private static @Nullable WatchRefusal code(Runnable check) {
    try {
      check.run();
      return null;
    } catch (WatchRefusedException e) {
      return e.code();
    }
  }
}
