package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Source;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the input from which on a segment had state: the first input of a partition that a decision
 * or an applied reward names. A job reads a partition in order, so every later input of the segment
 * there met that state, unless the segment was passivated.
 *
 * <p>The answer is unknown for segments that were ever passivated, and for segments with a writer
 * epoch above 0, because a later epoch may have started without what an earlier one wrote.
 */
final class SegmentsWithState {
  /** Memory per segment with its partitions, in bytes. */
  private static final long BYTES = 400;

  private final MemoryBudget memoryBudget;
  private final Map<String, Known> segments = new HashMap<>();

  private static final class Known {
    private final Map<RecordPlace, Long> since = new HashMap<>();
    private boolean isUncertain;
  }

  SegmentsWithState(MemoryBudget memoryBudget) {
    this.memoryBudget = memoryBudget;
  }

  /**
   * Registers a segment.
   *
   * @throws MemoryBudget.ExceededException if memory does not suffice
   */
  void ask(String segment) {
    if (!segments.containsKey(segment)) {
      memoryBudget.reserve(BYTES);
      segments.put(segment, new Known());
    }
  }

  /** Reads decisions and segment events, unless no segment is registered. */
  void read(CommittedLog log) {
    if (segments.isEmpty()) {
      return;
    }
    log.forEach(
        Sequences.slices(log),
        at -> {
          Known known =
              at.key() == null ? null : segments.get(new String(at.key(), StandardCharsets.UTF_8));
          if (known != null) {
            take(known, at);
          }
        });
  }

  private static void take(Known known, LogRecord at) {
    byte[] value = Payloads.value(at);
    try {
      if (at.slice().topic() == LogTopic.SEGMENT_EVENTS) {
        take(known, Wire.SEGMENT_EVENT.decode(value));
      } else if (!WriterEpochMarker.isIn(at.value(), at.headers())) {
        take(known, Wire.DECISION.decode(value));
      }
    } catch (WireException e) {
      known.isUncertain = true; // I4 reports it
    }
  }

  private static void take(Known known, Decision decision) {
    known.isUncertain |= decision.writerEpoch() > 0;
    if (decision.seq() != SegmentWithoutSpec.UNNUMBERED) {
      since(known, decision.source());
    }
  }

  private static void take(Known known, SegmentEvent segmentEvent) {
    known.isUncertain |=
        segmentEvent.writerEpoch() > 0
            || segmentEvent.type() == SegmentEventType.SEGMENT_PASSIVATED;
    Source source = segmentEvent.source();
    if (source != null) {
      since(known, source);
    }
  }

  private static void since(Known known, Source source) {
    known.since.merge(RecordPlace.of(source), source.offset(), Math::min);
  }

  /** Returns whether a segment certainly had state when the job read an input. */
  boolean had(String segment, RecordPlace recordPlace, long offset) {
    Known known = segments.get(segment);
    Long since = known == null || known.isUncertain ? null : known.since.get(recordPlace);
    return since != null && since < offset;
  }
}
