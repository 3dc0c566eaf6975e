package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one change of a segment's state, a decision or a segment event, and keeps its log record.
 *
 * @param record a {@link Decision} or an {@link SegmentEvent}
 */
record Change(LogRecord at, String segment, long seq, Record record) {

  /**
   * Decodes a record of the decisions or segment-events topic.
   *
   * @throws WireException if its bytes cannot be decoded
   */
  static Change of(LogRecord at) {
    byte[] value = Payloads.value(at);
    if (at.slice().topic() == LogTopic.DECISIONS) {
      Decision decision = Wire.DECISION.decode(value);
      return new Change(at, decision.segment(), decision.seq(), decision);
    }
    SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(value);
    return new Change(at, segmentEvent.segment(), segmentEvent.seq(), segmentEvent);
  }

  /** Returns the name of a change in findings: segment and seq. */
  static String key(String segment, long seq) {
    return "segment " + segment + ", seq " + seq;
  }

  /** Returns the name of a decision in findings: its ids, and the place of a record with them. */
  static String decision(String decisionId, String segment, String place) {
    return "decision_id %s of segment %s (%s)".formatted(decisionId, segment, place);
  }

  String key() {
    return key(segment, seq);
  }

  int writerEpoch() {
    return record instanceof Decision decision
        ? decision.writerEpoch()
        : ((SegmentEvent) record).writerEpoch();
  }

  /** Returns whether it is a decision that changes no state and has no seq. */
  boolean isUnnumbered() {
    return seq == SegmentWithoutSpec.UNNUMBERED && record instanceof Decision;
  }

  /** Returns whether the record's key is its segment; the order of changes depends on it. */
  boolean isKeyed() {
    return isKeyed(at, segment);
  }

  static boolean isKeyed(LogRecord at, String segment) {
    byte @Nullable [] key = at.key();
    return key != null && Arrays.equals(key, segment.getBytes(StandardCharsets.UTF_8));
  }
}
