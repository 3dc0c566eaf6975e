package io.equipoise.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.simulate.SimulationSpecs;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /** They tie, and a tie passes the gate of any margin, and spends alpha. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "version: 1 | version: 7 | comments, order or version",
        "name: offers | '# a copy\nname: offers' | comments, order or version",
        "name: offers | name: offers-2 | words that change no probability, of name",
        "segments: default | segments: {exact: [north]} | words that change no probability, of segments, segments.exact",
        "reward-window: 1d | reward-window: 86400000ms | words that change no probability, of join.reward-window",
        "tau: 0.2 | 'tau: 0.20, delta: 0.05' | words that change no probability, of fairness.delta",
        "fairness: | 'on-incompatible-change: reset\nmetrics: {every: 7}\nfairness:' | words that change no probability, of metrics.every, on-incompatible-change",
        "{gender income} -> offer {gender income offer} -> accepted | {offer income gender} -> accepted {income gender} -> offer | words that change no probability, of graph",
        "version: 1 | 'version: 1\nseed: 2' | the seed, which changes no probability",
      })
  void theChampionsPolicyIsRefusedInOtherWords(String piece, String other, String differing) {
    CompiledSpec same = with(piece, other.replace("\\n", "\n"));
    WatchRefusedException refused =
        assertThrows(
            WatchRefusedException.class, () -> ChallengerCheck.check(CHAMPION, same), other);
    assertEquals(WatchRefusal.CHAMPION_TEXT, refused.code());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(": they differ only in " + differing + ";"), message);
  }

  /** With known distributions, and of every family. */
  @Test
  void aCopyHasTheSamePolicy() {
    List<SegmentSpec> specs = new ArrayList<>(SpecFiles.load(Path.of("flink-conf", "specs")));
    for (CompiledSpec spec :
        List.of(
            SimulationSpecs.ridge(),
            SimulationSpecs.dual(),
            SimulationSpecs.allocation(),
            SimulationSpecs.of("{name: screen, theta-norm: 5}"))) {
      specs.add(spec.spec());
    }
    for (SegmentSpec spec : specs) {
      assertTrue(spec.decidesAs(SpecParser.parse("# a copy\n" + spec.text())), spec.name());
      assertEquals(1, specs.stream().filter(spec::decidesAs).count(), spec.name());
    }
  }

  @Test
  void anotherLimitIsAnotherPolicy() {
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
