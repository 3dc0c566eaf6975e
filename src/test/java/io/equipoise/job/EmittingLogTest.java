package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.Wire;
import io.equipoise.job.topics.Emission;
import io.equipoise.privacy.Redactor;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.privacy.TestKeys;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.TestBook;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.MemorySegmentState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

/** In which order the fairness records of a decision leave: that of the levels would tell them. */
class EmittingLogTest {
  private static final long TIME = 1_700_000_000_000L;

  private static List<FairnessAudit> told(
      String levels, Map<String, Object> person, SensitiveValues sensitiveValues) {
    TestBook book =
        new TestBook()
            .publish(
                TestSpecs.text(
                        "linucb",
                        1,
                        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
                        "{range: [0, 1]}",
                        "reject")
                    .replaceAll("(?s)distributions:.*?reward:", "reward:")
                    .replace("levels: [a, b]", levels));
    Redactor redactor =
        new Redactor(
            sensitiveValues,
            TestKeys.of(1),
            1,
            hash -> {
              CompiledSpec spec = book.byHash(hash);
              return spec == null ? null : spec.spec();
            });
    List<Emission> out = new ArrayList<>();
    EmissionCounters counters = new EmissionCounters(new UnregisteredMetricsGroup());
    Origin origin = new Origin("contexts", 0, 0, TIME);
    new SegmentMachine(book, () -> 0, 0)
        .onContext(
            new ContextEvent("d", "s", TIME, person, null, null, origin, new byte[0]),
            new MemorySegmentState(),
            new EmittingLog(
                "s", new ListCollector<>(out), counters, redactor, (segment, seq) -> {}, null));
    return out.stream()
        .filter(emission -> emission.output() == LogTopic.AUDIT)
        .map(emission -> Wire.AUDIT.decode(emission.value()))
        .toList();
  }

  private static List<String> pairs(
      String levels, Map<String, Object> person, SensitiveValues how) {
    return told(levels, person, how).stream()
        .map(audit -> audit.effect().factual() + " " + audit.effect().counterfactual())
        .toList();
  }

  @Test
  void plainRecordsLeaveInTheOrderOfTheSpec() {
    assertEquals(
        List.of("b a", "b c"),
        pairs("levels: [a, b, c]", Map.of("S", "b", "X", "low"), SensitiveValues.PLAIN));
  }

  @Test
  void tokensOfCounterfactualLevelsLeaveInNoOrderOfTheSpec() {
    Map<String, Object> person = Map.of("S", "b", "X", "low");
    List<String> one = pairs("levels: [a, b, c]", person, SensitiveValues.PSEUDONYMIZE);
    assertEquals(2, one.size());
    assertEquals(one, pairs("levels: [c, b, a]", person, SensitiveValues.PSEUDONYMIZE));
  }

  /** Of somebody who does not tell, every pair is compared, the spec's first level first. */
  @Test
  void soDoTokensOfAPersonWhoDoesNotTell() {
    Map<String, Object> person = Map.of("X", "low");
    String levels = "levels: [a, b], missing: level";
    String reversed = "levels: [b, a], missing: level";
    List<String> one = pairs(levels, person, SensitiveValues.PSEUDONYMIZE);
    assertEquals(2, one.size());
    assertEquals(one, pairs(reversed, person, SensitiveValues.PSEUDONYMIZE));
    assertNotEquals(
        pairs(levels, person, SensitiveValues.PLAIN),
        pairs(reversed, person, SensitiveValues.PLAIN));
  }
}
