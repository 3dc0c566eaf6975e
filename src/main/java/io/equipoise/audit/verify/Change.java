package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.event.Decision;
import io.equipoise.event.Outcome;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.join.UncoveredSegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One change of a segment's state: a decision or an outcome, with the place where it stands.
 *
 * @param record a {@link Decision} or an {@link Outcome}
 */
record Change(LogRecord at, String segment, int shard, long seq, Record record) {

  /**
   * Reads a record of the decisions or outcomes.
   *
   * @throws WireException if its bytes are none
   */
  static Change of(LogRecord at) {
    byte[] value = Payloads.value(at);
    if (at.slice().topic() == LogTopic.DECISIONS) {
      Decision decision = Wire.DECISION.decode(value);
      return new Change(at, decision.segment(), decision.shard(), decision.seq(), decision);
    }
    Outcome outcome = Wire.OUTCOME.decode(value);
    return new Change(at, outcome.segment(), outcome.shard(), outcome.seq(), outcome);
  }

  /** Returns the key of a change: segment, shard where there is another than 0, and seq. */
  static String key(String segment, int shard, long seq) {
    return "segment " + segment + (shard == 0 ? "" : ", shard " + shard) + ", seq " + seq;
  }

  String key() {
    return key(segment, shard, seq);
  }

  /** Returns the attempt that wrote it. */
  int attempt() {
    return record instanceof Decision decision ? decision.attempt() : ((Outcome) record).attempt();
  }

  /** Says whether it changes no state, and so has no place in the sequence of its segment. */
  boolean isUnnumbered() {
    return seq == UncoveredSegment.UNNUMBERED && record instanceof Decision;
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
