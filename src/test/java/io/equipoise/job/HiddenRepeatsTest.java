package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
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
import java.util.TreeMap;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A repeat of a context that has another sensitive level, beside one that is equal. Whoever sends
 * both must not learn the level from what the job writes and counts.
 */
class HiddenRepeatsTest {
  private static final long TIME = 1_700_000_000_000L;

  @ParameterizedTest
  @EnumSource(
      value = SensitiveValues.class,
      names = {"REDACT", "PSEUDONYMIZE"})
  void equalAndConflictingRepeatsLookAlikeOnEveryTopicAndInTheCounters(
      SensitiveValues sensitiveValues) {
    Played equal = new Played(sensitiveValues, "a");
    Played conflicting = new Played(sensitiveValues, "b");
    assertEquals(equal.shown(), conflicting.shown());
    assertEquals(equal.lengths(), conflicting.lengths());
    assertEquals(equal.counters(), conflicting.counters());
    List<LogTopic> outputs = equal.out.stream().map(Emission::output).toList();
    assertEquals(2, outputs.stream().filter(LogTopic.DECISIONS::equals).count());
    assertEquals(1, outputs.stream().filter(LogTopic.DEAD_LETTER::equals).count());
    assertTrue(outputs.lastIndexOf(LogTopic.METRICS) > outputs.indexOf(LogTopic.DEAD_LETTER));
    assertEquals(1, equal.counters().get("deadLetter REPEATED_CONTEXT records"));
    assertEquals(1, equal.counters().get("reason REPEATED decisions"));
  }

  @Test
  void plainRecordsTellThemApart() {
    Played equal = new Played(SensitiveValues.PLAIN, "a");
    Played conflicting = new Played(SensitiveValues.PLAIN, "b");
    assertNotEquals(equal.shown(), conflicting.shown());
    assertNotEquals(equal.counters(), conflicting.counters());
  }

  /** What a segment writes of a context, of its repeat and of the end of its window. */
  private static final class Played {
    private final List<Emission> out = new ArrayList<>();
    private final Map<String, Counter> counters = new TreeMap<>();

    Played(SensitiveValues sensitiveValues, String levelOfRepeat) {
      String join = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
      TestBook book =
          new TestBook().publish(TestSpecs.text("ucb", 1, join, "{range: [0, 1]}", "reject"));
      Redactor redactor =
          new Redactor(
              sensitiveValues,
              TestKeys.of(1),
              1,
              hash -> {
                CompiledSpec spec = book.byHash(hash);
                return spec == null ? null : spec.spec();
              });
      EmittingLog log =
          new EmittingLog(
              "s",
              new ListCollector<>(out),
              new EmissionCounters(new Counters(counters, "")),
              redactor,
              (segment, seq) -> {},
              null);
      SegmentMachine machine = new SegmentMachine(book, () -> 0, 0);
      MemorySegmentState state = new MemorySegmentState();
      machine.onContext(context("a", 0), state, log);
      machine.onContext(context(levelOfRepeat, 1), state, log);
      long end = TIME + 3_600_000;
      for (Long timer = state.pollTimer(end); timer != null; timer = state.pollTimer(end)) {
        machine.onTimer(timer, "s", state, log);
      }
      out.replaceAll(
          emission ->
              emission.output() == LogTopic.DEAD_LETTER
                  ? Emission.of(
                      redactor.of(Wire.DEAD_LETTER.decode(emission.value())), emission.key())
                  : emission);
    }

    /** Returns the records whose content depends on the repeat, without encrypted values. */
    List<Object> shown() {
      List<Object> shown = new ArrayList<>();
      for (Emission emission : out) {
        switch (emission.output()) {
          case DECISIONS -> {
            Decision decision = Wire.DECISION.decode(emission.value());
            shown.add(decision.isRepeated() ? decision : "first decision");
          }
          case DEAD_LETTER -> {
            DeadLetter letter = Wire.DEAD_LETTER.decode(emission.value());
            shown.add(
                letter.redaction() == null
                    ? letter
                    : letter.with(
                        letter.code(),
                        letter.message(),
                        letter.variables(),
                        letter.input().key(),
                        letter.input().value(),
                        null));
          }
          case METRICS -> {
            SegmentMetrics metrics = Wire.METRICS.decode(emission.value());
            shown.add(
                metrics.with(metrics.contexts(), metrics.fairness(), metrics.digests(), null));
          }
          default -> shown.add(emission.output());
        }
      }
      return shown;
    }

    List<Integer> lengths() {
      return out.stream().map(emission -> emission.value().length).toList();
    }

    Map<String, Long> counters() {
      Map<String, Long> counted = new TreeMap<>();
      counters.forEach((name, counter) -> counted.put(name, counter.getCount()));
      return counted;
    }

    private static ContextEvent context(String level, int offset) {
      Map<String, Object> person = Map.of("S", level, "X", "low");
      return new ContextEvent(
          "d",
          "s",
          TIME,
          person,
          null,
          null,
          new Origin("contexts", 0, offset, TIME),
          Wire.CONTEXT.encode(new WireContext("d", "s", TIME, person, null, null)));
    }
  }

  /** Remembers the counters of all its groups. */
  private static final class Counters extends UnregisteredMetricsGroup {
    private final Map<String, Counter> counters;
    private final String path;

    Counters(Map<String, Counter> counters, String path) {
      this.counters = counters;
      this.path = path;
    }

    @Override
    public MetricGroup addGroup(String key, String value) {
      return new Counters(counters, path + key + " " + value + " ");
    }

    @Override
    public Counter counter(String name) {
      return counters.computeIfAbsent(path + name, any -> super.counter(name));
    }
  }
}
