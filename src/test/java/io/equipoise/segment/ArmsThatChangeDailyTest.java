package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Docs;
import io.equipoise.event.Decision;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segmentspec.ArmEdit;
import io.equipoise.segmentspec.LevelEdit;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Plays the spec of the page through the changes that the page describes. */
class ArmsThatChangeDailyTest {
  private int decisions;
  private int seconds;

  @Test
  void theModelOfThePageContinuesThroughEveryChange() throws IOException {
    SegmentSpec monday = SpecParser.parse(Docs.specOf("docs/arms-that-change-daily.md"));
    Scenario scenario = Scenario.under(monday.text());
    play(scenario, 200);
    scenario.context("pending", ++seconds, person());
    Decision awaited = scenario.log.decisions.get(decisions);

    SegmentSpec more = SpecParser.parse(ArmEdit.add(monday, "article", "tuesday-1"));
    more = SpecParser.parse(ArmEdit.add(more, "article", "tuesday-2"));
    SegmentSpec tuesday = version(2, ArmEdit.retire(more, "article", "monday-1"));
    assertEquals(6, tuesday.arms().size(), "three articles at two slots");
    scenario.book.publish(tuesday.text());
    decisions++;
    scenario.reward("pending", seconds, 1);
    assertAdopted(scenario, tuesday, List.of("article"));
    scenario.passTo(seconds += 601);
    SegmentEvent learned = scenario.log.segmentEvents.get(scenario.log.segmentEvents.size() - 1);
    assertEquals(SegmentEventType.WINDOW_CLOSED, learned.type(), "the last click");
    assertEquals(
        172,
        scenario.log.segmentEvents.stream()
            .filter(it -> it.type() == SegmentEventType.REWARD_TIMEOUT)
            .count(),
        "readers who did not click, learned as 0");
    assertNotNull(awaited.arm());
    assertEquals(201, scenario.head().rounds);
    play(scenario, 100);
    assertTrue(
        scenario.log.decisions.stream()
            .skip(201)
            .noneMatch(it -> String.valueOf(it.arm()).contains("monday-1")));

    SegmentSpec back = version(3, ArmEdit.add(tuesday, "article", "monday-1"));
    scenario.book.publish(back.text());
    play(scenario, 10);
    assertAdopted(scenario, back, List.of());

    SegmentSpec undone = version(4, LevelEdit.keeping(monday, back));
    assertEquals(monday.arms().size(), undone.arms().size());
    scenario.book.publish(undone.text());
    play(scenario, 10);
    assertAdopted(scenario, undone, List.of());
    assertEquals(List.of(), scenario.deadLetterCodes());
  }

  private void play(Scenario scenario, int rounds) {
    for (int round = 0; round < rounds; round++) {
      String id = "d" + decisions++;
      scenario.context(id, ++seconds, person());
      scenario.reward(decisions % 7 == 0 ? click(scenario, id) : shown(scenario, id));
    }
  }

  private RewardEvent click(Scenario scenario, String id) {
    return new RewardEvent(
        id,
        null,
        Scenario.SEGMENT,
        Scenario.millis(seconds),
        1,
        Map.of(),
        null,
        scenario.origin("rewards", seconds),
        id.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the record that the gateway writes after an answer. */
  private RewardEvent shown(Scenario scenario, String id) {
    Decision last = scenario.log.decisions.get(scenario.log.decisions.size() - 1);
    return RewardEvent.shown(
        id,
        Scenario.SEGMENT,
        Scenario.millis(seconds),
        last.arm(),
        scenario.origin("rewards", seconds),
        id.getBytes(StandardCharsets.UTF_8));
  }

  private Map<String, Object> person() {
    return Map.of(
        "gender", decisions % 2 == 0 ? "female" : "male",
        "device", decisions % 3 == 0 ? "phone" : "desktop");
  }

  private static SegmentSpec version(long version, String text) {
    return SpecParser.parse(VersionEdit.with(text, version));
  }

  private static void assertAdopted(Scenario scenario, SegmentSpec spec, List<String> extended) {
    SegmentEvent adopted =
        scenario.log.segmentEvents.stream()
            .filter(it -> it.type() == SegmentEventType.SPEC_ADOPTED)
            .reduce((first, next) -> next)
            .orElseThrow();
    assertEquals(spec.hash(), adopted.specHash());
    assertEquals(List.of(), adopted.stateReset());
    assertEquals(extended, adopted.adoption().extendedVariables());
  }
}
