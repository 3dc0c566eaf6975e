package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import java.util.List;
import java.util.function.Predicate;

/** A log of several segments to be broken, and words to say what and who must be named. */
abstract class TamperedLog {
  static final String SEGMENT = "s1"; // D-UCB, the first reward settles

  private static final long SEED = 7;
  static final int STEPS = 500;

  /** Nobody plays it on; every test has a copy of its log to tamper with. */
  static final PlayedDeployment PLAYED = new PlayedDeployment(SEED, STEPS).ended();

  final PlayedDeployment played = PLAYED;
  final MemoryLog log = PLAYED.log.copy();

  final List<Finding> check() {
    return new Auditor(log, played.texts(), AuditorTest.PLAIN).check();
  }

  /** Moves on by one every change and snapshot of a segment after a seq. */
  final void shift(String segment, long after) {
    for (LogTopic topic : List.of(LogTopic.DECISIONS, LogTopic.SEGMENT_EVENTS, LogTopic.METRICS)) {
      List<LogRecord> in = log.records(topic, MemoryLog.partitionOf(segment));
      for (LogRecord at : List.copyOf(in)) {
        Record record = decode(at);
        long seq = (Long) component(record, "seq");
        if (component(record, "segment").equals(segment) && seq > after) {
          log.replace(at, encode(Tamper.with(record, "seq", seq + 1)));
        }
      }
    }
  }

  static byte[] encode(Record record) {
    if (record instanceof Decision decision) {
      return Wire.DECISION.encode(decision);
    }
    return record instanceof SegmentEvent segmentEvent
        ? Wire.SEGMENT_EVENT.encode(segmentEvent)
        : Wire.METRICS.encode((SegmentMetrics) record);
  }

  static Record decode(LogRecord at) {
    byte[] value = Payloads.value(at);
    return switch (at.slice().topic()) {
      case DECISIONS -> Wire.DECISION.decode(value);
      case SEGMENT_EVENTS -> Wire.SEGMENT_EVENT.decode(value);
      case METRICS -> Wire.METRICS.decode(value);
      case AUDIT -> Wire.AUDIT.decode(value);
      case EXPERIMENTS -> Wire.EXPERIMENT.decode(value);
      case DEAD_LETTER -> Wire.DEAD_LETTER.decode(value);
      default -> throw new AssertionError(at);
    };
  }

  static Object component(Record record, String name) {
    try {
      return record.getClass().getMethod(name).invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no component " + name + " in " + record.getClass(), e);
    }
  }

  static long value(Record ledger, String account) {
    return (Long) component(ledger, account);
  }

  final Decision decided(long after) {
    return decision(d -> d.segment().equals(SEGMENT) && d.seq() > after && d.features() != null);
  }

  final Decision last() {
    List<LogRecord> in = log.records(LogTopic.DECISIONS, MemoryLog.partitionOf(SEGMENT));
    return (Decision) decode(in.get(in.size() - 1));
  }

  final SegmentEvent applied(long after) {
    return segmentEvent(
        o ->
            o.type() == SegmentEventType.REWARD_APPLIED
                && o.segment().equals(SEGMENT)
                && o.seq() > after);
  }

  static boolean isOther(Decision decision, SegmentEvent applied) {
    return !decision.decisionId().equals(applied.decisionId());
  }

  final Decision decision(Predicate<Decision> what) {
    return (Decision) decode(log.first(LogTopic.DECISIONS, r -> what.test((Decision) decode(r))));
  }

  final SegmentEvent segmentEvent(Predicate<SegmentEvent> what) {
    return (SegmentEvent)
        decode(log.first(LogTopic.SEGMENT_EVENTS, r -> what.test((SegmentEvent) decode(r))));
  }

  final SegmentMetrics metrics(Predicate<SegmentMetrics> what) {
    return (SegmentMetrics)
        decode(log.first(LogTopic.METRICS, r -> what.test((SegmentMetrics) decode(r))));
  }

  final DeadLetter deadLetter(Predicate<DeadLetter> what) {
    return (DeadLetter)
        decode(log.first(LogTopic.DEAD_LETTER, r -> what.test((DeadLetter) decode(r))));
  }

  final LogRecord at(Record record) {
    return at(log, record);
  }

  static LogRecord at(MemoryLog log, Record record) {
    LogTopic topic =
        record instanceof Decision
            ? LogTopic.DECISIONS
            : record instanceof SegmentEvent
                ? LogTopic.SEGMENT_EVENTS
                : record instanceof SegmentMetrics ? LogTopic.METRICS : LogTopic.DEAD_LETTER;
    return log.first(topic, r -> decode(r).equals(record));
  }

  static String place(DeadLetter letter) {
    return letter.source().toString();
  }

  static String name(Decision decision) {
    return "decision_id %s of segment %s".formatted(decision.decisionId(), decision.segment());
  }

  static String key(long seq) {
    return "segment " + SEGMENT + ", seq " + seq;
  }

  static Finding of(List<Finding> findings, Invariant invariant) {
    return findings.stream().filter(it -> it.invariant() == invariant).findFirst().orElseThrow();
  }

  static void assertNames(
      List<Finding> findings, Invariant invariant, String offender, String... why) {
    Finding finding = of(findings, invariant);
    assertEquals(Verdict.VIOLATED, finding.verdict(), findings.toString());
    assertTrue(String.valueOf(finding.offender()).startsWith(offender), finding.toString());
    for (String part : why) {
      assertTrue(String.valueOf(finding.why()).contains(part), finding.toString());
    }
  }

  static void assertClean(List<Finding> findings, Invariant... invariants) {
    for (Invariant invariant : invariants) {
      assertNotEquals(Verdict.VIOLATED, of(findings, invariant).verdict(), findings.toString());
    }
  }
}
