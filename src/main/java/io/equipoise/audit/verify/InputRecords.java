package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Decoded;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.JoinedReward;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decodes contexts and rewards like the job, without a size limit, because the limit is an option
 * of the job and may have changed. {@link DeadLetterReasonCheck} takes it from dead letters. Keeps
 * the records that were read last, the newest window first; they are a cache of the log, which does
 * not change. For one thread.
 */
final class InputRecords {
  /** Opening a reader costs as much as some thousand small records. */
  private static final int READ_AHEAD = 1 << 10;

  private static final int READ_AHEAD_BYTES = 1 << 20;
  private static final int WINDOWS = 16;

  private final CommittedLog log;
  private final InputDecoder decoder;

  /** The last ones read again, the newest first. */
  private final Deque<Window> windows = new ArrayDeque<>();

  /** Keeps the records of a partition between two offsets. */
  private record Window(RecordPlace place, long begin, long end, Map<Long, LogRecord> records) {
    boolean has(RecordPlace other, long offset) {
      return place.equals(other) && begin <= offset && offset < end;
    }
  }

  InputRecords(CommittedLog log) {
    this.log = log;
    this.decoder = new InputDecoder(Integer.MAX_VALUE, log.writers());
  }

  /** Returns the input, or null if it cannot be decoded. Accepts event times in the future. */
  @Nullable Input decode(LogRecord at) {
    Origin origin =
        new Origin(at.slice().name(), at.slice().partition(), at.offset(), at.timestamp());
    Decoded decoded =
        decoder.decode(at.slice().topic(), at.key(), at.value(), origin, Long.MAX_VALUE);
    return decoded instanceof Decoded.Good good ? good.input() : null;
  }

  /**
   * Reads a record again; returns null if there is none at this offset. Keeps the records after it,
   * which are often asked for next.
   */
  @Nullable LogRecord at(OffsetRange offsetRange, long offset) {
    RecordPlace place = RecordPlace.of(offsetRange);
    for (Window window : windows) {
      if (window.has(place, offset)) {
        return window.records.get(offset);
      }
    }
    Map<Long, LogRecord> records = new HashMap<>();
    long end = Math.min(offset + READ_AHEAD, Math.max(offset + 1, offsetRange.reach()));
    long bytes = 0;
    try (LogReader reader = log.read(List.of(offsetRange.between(offset, end)))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        records.put(at.offset(), at);
        bytes += Payloads.value(at).length;
        if (bytes > READ_AHEAD_BYTES) {
          end = at.offset() + 1;
          break;
        }
      }
    }
    if (windows.size() == WINDOWS) {
      windows.removeLast();
    }
    windows.addFirst(new Window(place, offset, end, records));
    return records.get(offset);
  }

  /** Returns the name of an input in findings: its ids, if it can be decoded, and its place. */
  String name(OffsetRange offsetRange, long offset) {
    LogRecord record = at(offsetRange, offset);
    Input input = record == null ? null : decode(record);
    return input == null
        ? offsetRange.place(offset)
        : Change.decision(input.decisionId(), input.segment(), offsetRange.place(offset));
  }

  /**
   * Digests the fields that an input shares with the decision or segment event that consumed it.
   */
  static long identity(Input input) {
    if (input instanceof ContextEvent context) {
      return Payloads.digest(context.segment(), context.decisionId(), null, context.eventTime(), 0);
    }
    RewardEvent reward = (RewardEvent) input;
    Double value = reward.reward();
    return Payloads.digest(
        reward.segment(),
        reward.decisionId(),
        rest(reward.rewardId(), reward.shownArm(), reward.mediators()),
        reward.eventTime(),
        Double.doubleToLongBits(value == null ? Double.NaN : value));
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

  /** Digests the same fields of a decision. */
  static long identity(Decision decision) {
    return Payloads.digest(
        decision.segment(), decision.decisionId(), null, decision.eventTime(), 0);
  }

  /**
   * Digests the same fields of an applied or buffered reward. Its mediators are levels of a spec,
   * so the digest differs if the reward carries numbers or more mediators.
   */
  static long identity(SegmentEvent segmentEvent) {
    JoinedReward reward = Objects.requireNonNull(segmentEvent.reward());
    Double value = reward.value();
    return Payloads.digest(
        segmentEvent.segment(),
        String.valueOf(segmentEvent.decisionId()),
        rest(reward.id(), reward.shownArm(), segmentEvent.mediators()),
        segmentEvent.eventTime(),
        Double.doubleToLongBits(value == null ? Double.NaN : value));
  }
}
