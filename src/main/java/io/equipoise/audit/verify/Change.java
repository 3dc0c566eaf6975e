package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One change of a segment's state: a decision or a segment event, with the place where it stands.
 *
 * @param record a {@link Decision} or an {@link SegmentEvent}
 */
record Change(LogRecord at, String segment, long seq, Record record) {

  /**
   * Reads a record of the decisions or segment events.
   *
   * @throws WireException if its bytes are none
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

  /** Returns the key of a change: segment and seq. */
  static String key(String segment, long seq) {
    return "segment " + segment + ", seq " + seq;
  }

  String key() {
    return key(segment, seq);
  }

  /** Returns the attempt that wrote it. */
  int writerEpoch() {
    return record instanceof Decision decision
        ? decision.writerEpoch()
        : ((SegmentEvent) record).writerEpoch();
  }

  /** Says whether it changes no state, and so has no place in the sequence of its segment. */
  boolean isUnnumbered() {
    return seq == SegmentWithoutSpec.UNNUMBERED && record instanceof Decision;
  }

  /** Says whether the record's key is its segment, as it must be for its order to hold. */
  boolean isKeyed() {
    return isKeyed(at, segment);
  }

  /** Says whether the key of a record is a segment. */
  static boolean isKeyed(LogRecord at, String segment) {
    byte @Nullable [] key = at.key();
    return key != null && Arrays.equals(key, segment.getBytes(StandardCharsets.UTF_8));
  }
}
