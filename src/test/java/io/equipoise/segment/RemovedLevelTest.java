package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.state.HeadSerializer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Levels that go after their arms did: a segment with one model through all versions. */
class RemovedLevelTest {
  private static final String DISJOINT = "linucb, features: [intercept, one-hot: X, one-hot: S]";
  private static final String DISJOINT_SHOWING =
      "linucb, features: [one-hot: A, product: [one-hot: A, one-hot: S], one-hot: X]";
  private static final String SHARED =
      "linucb, model: shared, theta-norm: 9, features: [intercept, one-hot: X, one-hot: S, one-hot:"
          + " A, product: [one-hot: S, one-hot: A]]";
  private static final String CELLS = "ucb";
  private static final String LOGISTIC =
      ", theta-norm: 9, features: [intercept, one-hot: X, one-hot: S, one-hot: A, product: [one-hot:"
          + " S, one-hot: A]]";

  /**
   * Its contrasts weigh rewards by the number of features, so they differ after the first change.
   */
  private static final String SCREEN = "screen" + LOGISTIC;

  private static final int FIRST_CHANGE = 5;
  private static final int ROUNDS = 8;

  /** Versions under which another segment keeps all levels. */
  private static final int COMPARED = 15;

  /** Lists an arm that stays, three of the version, and the levels from {@code oldest} on. */
  private static String version(String policy, int version, int oldest) {
    String[] levels =
        Stream.concat(
                Stream.of("home"), IntStream.range(oldest, version + 3).mapToObj(i -> "a" + i))
            .toArray(String[]::new);
    String[] arms =
        Stream.concat(
                Stream.of("home"), IntStream.range(version, version + 3).mapToObj(i -> "a" + i))
            .map("{id: %1$s, A: %1$s}"::formatted)
            .toArray(String[]::new);
    String certificates =
        policy.endsWith(LOGISTIC) && !policy.equals(SCREEN) ? "ellipsoid" : "contrast";
    return SpecVariant.of(policy)
        .version(version)
        .levels("A", levels)
        .arms(arms)
        .fairness("tau: 0.2, delta: 0.05, certificates: {interval: %s}".formatted(certificates))
        .text();
  }

  private static void play(Scenario scenario, int version) {
    play(scenario, version, 0.5);
  }

  private static void play(Scenario scenario, int version, double reward) {
    for (int i = 0; i < ROUNDS; i++) {
      int at = version * ROUNDS + i;
      scenario.context(
          "d" + at, at, Map.of("S", at % 2 == 0 ? "a" : "b", "X", at % 3 == 0 ? "low" : "high"));
      scenario.reward("d" + at, at + 0.5, at % 5 == 0 ? reward : 0);
    }
  }

  private static Decision last(Scenario scenario) {
    return scenario.log.decisions.get(scenario.log.decisions.size() - 1);
  }

  private static SegmentEvent adoption(Scenario scenario) {
    return scenario.log.segmentEvents.stream()
        .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.SPEC_ADOPTED)
        .reduce((first, next) -> next)
        .orElseThrow();
  }

  /** Fewer cells have narrower intervals. */
  private static void assertClose(FairnessAudit one, FairnessAudit other, boolean isOfCells) {
    AuditedEffect expected = one.effect();
    AuditedEffect actual = other.effect();
    assertEquals(expected.estimate(), actual.estimate(), 1e-9, one.decisionId());
    if (isOfCells) {
      assertTrue(actual.lower() >= expected.lower() - 1e-9, one.decisionId());
      assertTrue(actual.upper() <= expected.upper() + 1e-9, one.decisionId());
    } else {
      assertEquals(expected.lower(), actual.lower(), 1e-9, one.decisionId());
      assertEquals(expected.upper(), actual.upper(), 1e-9, one.decisionId());
    }
    assertEquals(expected.unsupportedShare(), actual.unsupportedShare(), 1e-9, one.decisionId());
  }

  private static int modelBytes(Scenario scenario) {
    int bytes = 0;
    for (Map.Entry<Long, StateBlock> block : scenario.state.blocks().entries()) {
      bytes += block.getValue().toBytes().length;
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        DISJOINT,
        DISJOINT_SHOWING,
        SHARED,
        CELLS,
        SCREEN,
        "dual-upper" + LOGISTIC,
        "ofulog" + LOGISTIC,
        "cclb" + LOGISTIC,
        "glm-ucb" + LOGISTIC
      })
  void aModelGoesOnForEverAndKeepsOnlyTheArmsWhoseLevelsTheSpecHas(String policy) {
    Scenario all = new Scenario();
    Scenario recent = new Scenario();
    int most = 0;
    double reward = policy.endsWith(LOGISTIC) ? 1 : 0.5;
    int versions = Tier.count(COMPARED + 5, 50);
    for (int version = 1; version <= versions; version++) {
      if (version <= COMPARED) {
        all.book.publish(version(policy, version, 1));
        play(all, version, reward);
      }
      recent.book.publish(version(policy, version, Math.max(1, version - 3)));
      play(recent, version, reward);
      assertEquals(List.of(), adoption(recent).stateReset());
      int bytes = modelBytes(recent);
      most = version <= COMPARED ? Math.max(most, bytes) : most;
      assertTrue(bytes <= most, "version " + version + ": " + bytes + " bytes, not " + most);
    }
    assertTrue(modelBytes(all) > 1.5 * most, "what is kept of all arms: " + modelBytes(all));
    assertEquals(List.of(), recent.deadLetterCodes());
    for (int i = 0; i < all.log.decisions.size(); i++) {
      Decision one = all.log.decisions.get(i);
      Decision other = recent.log.decisions.get(i);
      assertEquals(one.arm(), other.arm(), one.decisionId());
      assertEquals(one.mean(), other.mean(), 1e-9, one.decisionId());
    }
    int compared = 0;
    for (int i = 0; i < all.log.audits.size(); i++) {
      FairnessAudit audit = all.log.audits.get(i);
      if (policy.equals(SCREEN) && audit.decisionId().equals("d" + (FIRST_CHANGE * ROUNDS + 1))) {
        break;
      }
      compared++;
      assertClose(audit, recent.log.audits.get(i), policy.equals(CELLS));
    }
    assertTrue(compared >= (FIRST_CHANGE - 1) * ROUNDS, "audits that were compared: " + compared);
    recent.assertBalanced(versions * ROUNDS, versions * ROUNDS);
  }

  @Test
  void whatAwaitsARewardIsLearnedAndItsArmLeavesAfterwards() throws IOException {
    Scenario scenario = Scenario.under(version(DISJOINT, 1, 1));
    for (int i = 0; i < 4; i++) {
      scenario.context("d" + i, i);
      scenario.reward("d" + i, i + 0.5, last(scenario).arm().equals("a1") ? 1 : 0);
    }
    scenario.context("late", 5);
    assertEquals("a1", last(scenario).arm());
    int position = scenario.head().find("a1");
    scenario.book.publish(version(DISJOINT, 2, 1));
    scenario.context("d5", 6).reward("d5", 7, 0);
    scenario.book.publish(version(DISJOINT, 3, 2));
    scenario.context("d6", 8).reward("d6", 9, 0);
    assertEquals(position, scenario.head().find("a1"), "it is awaited");
    scenario.reward("late", 10, 1);
    assertEquals(List.of(), scenario.deadLetterCodes());
    scenario.book.publish(version(DISJOINT, 4, 2));
    scenario.context("d7", 11).reward("d7", 12, 0);
    assertEquals(-1, scenario.head().find("a1"), "it left");
    assertTrue(scenario.head().left.get(position));
    assertEquals(
        scenario.head().left, bytesAndBack(scenario).left, "in a checkpoint it is the same");
    scenario.assertBalanced(8, 8);
  }

  /** There are as many cells as before, and one of them is another one. */
  @Test
  void aLevelInThePlaceOfAnotherOneHasAShareOfDeltaOfItsOwn() {
    String home = "{id: home, A: left}";
    SpecVariant spec = SpecVariant.of(CELLS);
    Scenario scenario = Scenario.under(spec.arms(home).text()).context("d1", 0).reward("d1", 1, 1);
    int before = DeltaShares.changes(scenario.state.blocks(), DeltaShares.KEY);
    scenario.book.publish(spec.version(2).levels("A", "left", "up").text());
    scenario.context("d2", 2).reward("d2", 3, 0);
    assertEquals(before + 1, DeltaShares.changes(scenario.state.blocks(), DeltaShares.KEY));
    scenario.book.publish(spec.version(3).levels("A", "up", "left").text());
    scenario.context("d3", 4).reward("d3", 5, 1);
    assertEquals(
        before + 1, DeltaShares.changes(scenario.state.blocks(), DeltaShares.KEY), "another order");
    assertEquals(List.of(), scenario.deadLetterCodes());
    scenario.assertBalanced(3, 3);
  }

  @ParameterizedTest
  @ValueSource(strings = {SHARED, CELLS, SCREEN, "forced-exploration" + LOGISTIC})
  void aLevelStaysWhileTheModelNeedsItForARewardThatIsAwaited(String policy) {
    Scenario scenario = Scenario.under(version(policy, 1, 1));
    for (int i = 0; i < 6; i++) {
      scenario.context("d" + i, i);
      scenario.reward("d" + i, i + 0.5, last(scenario).arm().equals("a1") ? 1 : 0);
    }
    scenario.context("late", 6);
    assertEquals("a1", last(scenario).arm());
    scenario.book.publish(version(policy, 2, 1));
    scenario.context("d7", 7).reward("d7", 7.5, 0);
    scenario.book.publish(version(policy, 3, 2));
    scenario.context("d8", 8).reward("d8", 8.5, 0);
    assertEquals(List.of("SPEC_REJECTED"), scenario.deadLetterCodes());
    scenario.reward("late", 9, 1);
    scenario.book.publish(version(policy, 4, 2));
    scenario.context("d9", 10).reward("d9", 11, 0);
    assertEquals(-1, scenario.head().find("a1"));
    assertEquals(List.of("SPEC_REJECTED"), scenario.deadLetterCodes());
    scenario.assertBalanced(10, 10);
  }

  private static SegmentHeader bytesAndBack(Scenario scenario) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    new HeadSerializer().serialize(scenario.head(), out);
    return new HeadSerializer().deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
  }

  @Test
  void aLevelThatComesBackIsANewOneWithAShareOfItsOwn() {
    String home = "{id: home, A: left}";
    String away = "{id: away, A: right}";
    SpecVariant spec = SpecVariant.of("linucb, features: [one-hot: X]");
    Scenario scenario = Scenario.under(spec.arms(home, away).text());
    for (int i = 0; i < 6; i++) {
      scenario.context("d" + i, i);
      scenario.reward("d" + i, i + 0.5, last(scenario).arm().equals("away") ? 1 : 0);
    }
    int before = scenario.head().find("away");
    scenario.book.publish(spec.version(2).arms(home).text());
    scenario.context("e2", 10).reward("e2", 11, 0);
    scenario.book.publish(spec.version(3).levels("A", "left").text());
    scenario.context("e3", 12).reward("e3", 13, 0);
    assertEquals(-1, scenario.head().find("away"));
    scenario.book.publish(spec.version(4).levels("A", "left", "right").arms(home, away).text());
    scenario.context("e4", 14).reward("e4", 15, 0.5);
    assertEquals("away", last(scenario).arm());
    assertEquals(0, last(scenario).mean(), "nothing is known of it");
    assertTrue(scenario.head().find("away") > before);
    assertEquals(List.of(), scenario.deadLetterCodes());
    scenario.assertBalanced(9, 9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "linucb, model: shared",
        "linucb, model: shared, theta-norm: 9, forget: {rounds: 50}",
        "linucb, features: [one-hot: A], forget: {discount: 0.9}"
      })
  void whereTheModelCannotGoOnTheVersionIsRefused(String policy) {
    String left = "{id: home, A: left}";
    SpecVariant spec = SpecVariant.of(policy);
    Scenario scenario = Scenario.under(spec.text()).context("d1", 0);
    scenario.book.publish(spec.version(2).arms(left).text());
    scenario.context("d2", 1);
    scenario.book.publish(spec.version(3).levels("A", "left").text());
    scenario.context("d3", 2);
    assertEquals(List.of("SPEC_REJECTED"), scenario.deadLetterCodes());
  }
}
