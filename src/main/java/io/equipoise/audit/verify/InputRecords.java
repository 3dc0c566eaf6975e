package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Decoded;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.TopicKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads contexts and rewards as the job does, and says what names them. How large they may be is an
 * option of the job, and may have been another one at any time: the letters of those that were too
 * large tell it ({@link DeadLetterReasonCheck}).
 */
final class InputRecords {
  private final CommittedLog log;
  private final InputDecoder decoder = new InputDecoder(Integer.MAX_VALUE);

  InputRecords(CommittedLog log) {
    this.log = log;
  }

  /** Returns the input, or null where it cannot be decoded. What lies in the future is not told. */
  @Nullable Input decode(LogRecord at) {
    TopicKind kind =
        at.slice().topic() == LogTopic.CONTEXTS ? TopicKind.CONTEXTS : TopicKind.REWARDS;
    Origin origin =
        new Origin(at.slice().name(), at.slice().partition(), at.offset(), at.timestamp());
    Decoded decoded = decoder.decode(kind, at.key(), at.value(), origin, Long.MAX_VALUE);
    return decoded instanceof Decoded.Good good ? good.input() : null;
  }

  /** Reads one record once more, or returns null where there is none at this offset. */
  @Nullable LogRecord at(OffsetRange offsetRange, long offset) {
    try (LogReader reader = log.read(List.of(offsetRange.between(offset, offset + 1)))) {
      return reader.next();
    }
  }

  /** Names a record by its ids as far as they can be read, and its place. */
  String name(OffsetRange offsetRange, long offset) {
    LogRecord record = at(offsetRange, offset);
    Input input = record == null ? null : decode(record);
    return input == null
        ? offsetRange.place(offset)
        : "decision_id %s of segment %s (%s)"
            .formatted(input.decisionId(), input.segment(), offsetRange.place(offset));
  }

  /** Digests what an input and the record that took it must have in common. */
  static long identity(Input input) {
    if (input instanceof ContextEvent context) {
      return Payloads.digest(context.segment(), context.decisionId(), null, context.eventTime(), 0);
    }
    RewardEvent reward = (RewardEvent) input;
    return Payloads.digest(
        reward.segment(),
        reward.decisionId(),
        rest(reward.rewardId(), reward.shownArm(), reward.mediators()),
        reward.eventTime(),
        Double.doubleToLongBits(reward.reward()));
  }

  private static String rest(
      @Nullable String rewardId, @Nullable String shownArm, Map<String, ?> mediators) {
    StringBuilder rest = new StringBuilder();
    add(rest, rewardId);
    add(rest, shownArm);
    new TreeMap<>(mediators)
        .forEach(
            (name, value) -> {
              add(rest, name);
              add(rest, String.valueOf(value));
            });
    return rest.toString();
  }

  private static void add(StringBuilder to, @Nullable String part) {
    if (part == null) {
      to.append('-');
    } else {
      to.append(part.length()).append(':').append(part);
    }
  }

  /** Digests the same of a decision. */
  static long identity(Decision decision) {
    return Payloads.digest(
        decision.segment(), decision.decisionId(), null, decision.eventTime(), 0);
  }

  /**
   * Digests the same of a reward that was applied or collected. Its mediators are the levels of a
   * spec: where those were sent in other words, or more of them, the digest is another.
   */
  static long identity(SegmentEvent segmentEvent) {
    Double reward = segmentEvent.reward();
    return Payloads.digest(
        segmentEvent.segment(),
        String.valueOf(segmentEvent.decisionId()),
        rest(segmentEvent.rewardId(), segmentEvent.shownArm(), segmentEvent.mediators()),
        segmentEvent.eventTime(),
        Double.doubleToLongBits(reward == null ? Double.NaN : reward));
  }
}
