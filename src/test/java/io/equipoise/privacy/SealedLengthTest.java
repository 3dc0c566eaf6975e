package io.equipoise.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ArmEstimate;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.ExperimentSample;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Origin;
import io.equipoise.event.Redaction;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.segment.RecordedLog;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.TestBook;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.MemorySegmentState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Of people who are equal but for their level, the level must not show in how long a record is. */
class SealedLengthTest {
  private static final String LONG = "Native Hawaiian or other Pacific Islander, or \u00e9lsewhere";
  private static final List<String> LEVELS = List.of("f", LONG, "male");
  private static final String SPEC =
      """
      name: test
      version: 1
      segments: default
      variables:
        X: {role: context, range: [0, 10], cuts: [5]}
        gender: {role: sensitive, levels: [f, "%s", male], missing: level}
        income: {role: sensitive, range: [0, 100], cuts: [1.25, 50]}
        A: {role: action, levels: [left, right]}
        R: {role: reward}
      graph: "dag { {gender income X A} -> R }"
      arms: all
      reward: {range: [0, 1]}
      policy: {name: linucb}
      fairness: {tau: 0.2, intersections: %s}
      join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}
      metrics: {every: 10}
      """;

  private final TestBook book = new TestBook();
  private final RecordedLog log = new RecordedLog();
  private final Set<Integer> lengths = new TreeSet<>();

  private Redactor redactor(SensitiveValues sensitiveValues, boolean isSpecKnown) {
    return new Redactor(
        sensitiveValues,
        TestKeys.of(1),
        1,
        hash -> {
          CompiledSpec spec = isSpecKnown ? book.byHash(hash) : null;
          return spec == null ? null : spec.spec();
        });
  }

  private void play(boolean areTakenTogether) {
    book.publish(SPEC.formatted(LONG, areTakenTogether));
    MemorySegmentState state = new MemorySegmentState();
    SegmentMachine machine = new SegmentMachine(book, () -> 0, 0);
    for (String gender : LEVELS) {
      for (double income : new double[] {0.5, 1.5, 99}) {
        Map<String, Object> person = Map.of("X", 7.5, "gender", gender, "income", income);
        machine.onContext(TestContexts.of("d" + log.decisions.size(), person), state, log);
      }
    }
    Map<String, Object> silent = Map.of("X", 7.5, "income", 99.0);
    machine.onContext(TestContexts.of("silent", silent), state, log);
    assertTrue(log.audits.size() > 20);
  }

  private void assertOneLength(Stream<? extends Record> told) {
    told.forEach(record -> lengths.add(sealedBytes(record)));
    assertEquals(1, lengths.size(), lengths::toString);
  }

  private static int sealedBytes(Record told) {
    Redaction redaction =
        told instanceof FairnessAudit audit
            ? audit.redaction()
            : told instanceof Decision decision
                ? decision.redaction()
                : told instanceof SegmentEvent segmentEvent
                    ? segmentEvent.redaction()
                    : ((DeadLetter) told).redaction();
    return Objects.requireNonNull(Objects.requireNonNull(redaction).ciphertext()).length;
  }

  @Test
  void fairnessRecordsOfOneSpecAreAsLong() {
    play(false);
    Redactor hiding = redactor(SensitiveValues.PSEUDONYMIZE, true);
    assertOneLength(log.audits.stream().map(hiding::of));
  }

  @Test
  void soAreThoseOfSeveralAttributesTakenTogether() {
    play(true);
    Redactor hiding = redactor(SensitiveValues.PSEUDONYMIZE, true);
    assertTrue(
        log.audits.stream().anyMatch(it -> String.valueOf(it.effect().factual()).contains("*")));
    assertOneLength(log.audits.stream().map(hiding::of));
  }

  @Test
  void soAreThoseOfASpecThatNobodyHas() {
    play(true);
    Redactor hiding = redactor(SensitiveValues.PSEUDONYMIZE, false);
    assertOneLength(log.audits.stream().map(hiding::of));
  }

  @Test
  void refutedBoundsOfAnyLevelAreAsLong() {
    play(false);
    Redactor hiding = redactor(SensitiveValues.PSEUDONYMIZE, true);
    for (String level : LEVELS) {
      Map<String, String> context = Map.of("X", "[0,5)", "gender", level);
      SegmentEvent any = log.segmentEvents.get(0);
      SegmentEvent refuted =
          any.with(
              null, null, null, new RefutedBounds("A=left", context, 0.5, 1.0, 0.25, 0.125, 0.375));
      assertOneLength(Stream.of(hiding.of(refuted)));
    }
  }

  /** A cell that nobody was seen in has no mean, which would tell whose it is. */
  @Test
  void decisionsAreAsLongWhateverNumbersTheyHave() {
    play(false);
    Redactor hiding = redactor(SensitiveValues.PSEUDONYMIZE, true);
    Decision plain = log.decisions.get(0);
    for (Double index : new Double[] {null, 0.5}) {
      for (Integer type : new Integer[] {null, 1}) {
        Decision decision =
            plain.with(
                plain.features(),
                ArmEstimate.of(index, index, index),
                new ExperimentSample(0, type),
                null);
        assertOneLength(Stream.of(hiding.of(decision)));
      }
    }
  }

  /** Letters show segment and decision id, and the decision all of the person but the level. */
  @Test
  void lettersOfPeopleEqualButForTheirLevelAreAsLong() {
    for (SensitiveValues sensitiveValues :
        List.of(SensitiveValues.PSEUDONYMIZE, SensitiveValues.REDACT)) {
      for (String level : LEVELS) {
        Map<String, Object> person = Map.of("gender", level);
        byte[] value =
            Wire.CONTEXT.encode(new WireContext("d", "s", TestContexts.TIME, person, null, null));
        DeadLetter letter =
            DeadLetter.undecodable(
                ErrorCode.DUPLICATE_CONTEXT, "", new Origin("contexts", 0, 1, 2), null, value);
        assertOneLength(Stream.of(redactor(sensitiveValues, true).of(letter)));
      }
    }
    assertEquals(Set.of(25 + 1024), lengths);
  }

  /** Who sends a decision's context again, once for each level, must not learn which it was. */
  @Test
  void equalAndConflictingContextsLookAlike() {
    Redactor hiding = redactor(SensitiveValues.PSEUDONYMIZE, true);
    Origin origin = new Origin("contexts", 0, 1, 2);
    for (int bytes = 0; bytes < 1200; bytes++) {
      byte[] value = new byte[bytes];
      DeadLetter equal =
          hiding.of(
              DeadLetter.undecodable(
                  ErrorCode.DUPLICATE_CONTEXT, "answered before", origin, null, value));
      DeadLetter other =
          hiding.of(
              DeadLetter.undecodable(
                  ErrorCode.CONFLICTING_CONTEXT, "answered with another one", origin, null, value));
      assertEquals("REPEATED_CONTEXT", equal.code());
      assertEquals("REPEATED_CONTEXT", other.code());
      assertEquals(equal.message(), other.message());
      assertEquals(Wire.DEAD_LETTER.encode(equal).length, Wire.DEAD_LETTER.encode(other).length);
    }
  }
}
