package io.equipoise.tools.watch;

import io.equipoise.event.Decision;
import io.equipoise.event.PlacedOutput;
import io.equipoise.event.Wire;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segment.log.SegmentWithoutSpec;
import io.equipoise.watch.LoggedRecord;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of one segment from its beginning, in the order of {@code seq}, which decisions and
 * segment events share without gaps.
 *
 * <p>Each of the two partitions has its records in this order, so the next one is the first of one
 * of them. Records that come before their turn wait; while {@value #MOST_WAITING} wait, the
 * partition that is ahead is paused. A seq that is still missing after a minute in which both
 * partitions were read to their ends is lost.
 *
 * <p>State: the next seq and the records that wait for it. {@code endsWhenMissed} and {@code
 * idleSince} belong to the missing seq and are null while none is missing. Not thread-safe.
 */
final class SegmentFollower implements AutoCloseable {
  static final int BATCH = 256;

  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int MOST_WAITING = 10_000;

  private final Consumer<byte[], byte[]> consumer;
  private final TopicPartition decisions;
  private final TopicPartition segmentEvents;
  private final byte[] key;
  private final Unredactor unredactor;
  private final LongSupplier nanos;
  private final TreeMap<Long, LoggedRecord> waiting = new TreeMap<>();
  private long next = 1;
  private @Nullable Map<TopicPartition, Long> endsWhenMissed;
  private @Nullable Long idleSince;

  /**
   * Begins at the first records.
   *
   * @param consumer of committed records; closed with this
   * @param nanos a clock for the patience with a missing seq
   */
  SegmentFollower(
      Consumer<byte[], byte[]> consumer,
      TopicPartition decisions,
      TopicPartition segmentEvents,
      String segment,
      Unredactor unredactor,
      LongSupplier nanos) {
    this.consumer = consumer;
    this.decisions = decisions;
    this.segmentEvents = segmentEvents;
    this.key = segment.getBytes(StandardCharsets.UTF_8);
    this.unredactor = unredactor;
    this.nanos = nanos;
    consumer.assign(List.of(decisions, segmentEvents));
    consumer.seekToBeginning(List.of(decisions, segmentEvents));
  }

  /**
   * Returns the next records in order, at most {@value #BATCH}; waits for new ones as long as
   * given.
   *
   * @throws io.equipoise.event.WireException if a record cannot be decoded
   * @throws WatchRefusedException if a record may be withdrawn (NOT_EXACTLY_ONCE)
   * @throws io.equipoise.privacy.CiphertextException if its sensitive values cannot be revealed
   */
  List<LoggedRecord> poll(Duration wait) {
    if (!waiting.containsKey(next)) {
      consumer.resume(consumer.paused());
      if (waiting.size() >= MOST_WAITING) { // the last one is of the partition that is ahead
        boolean isOfDecisions = waiting.lastEntry().getValue().output() instanceof Decision;
        consumer.pause(List.of(isOfDecisions ? decisions : segmentEvents));
      }
      consumer.poll(wait).forEach(this::take);
      noteMissing();
    }
    List<LoggedRecord> batch = new ArrayList<>();
    while (batch.size() < BATCH && waiting.containsKey(next)) {
      batch.add(waiting.remove(next++));
    }
    return batch;
  }

  /**
   * Notes since when the next record is missing, though later ones are there and the partitions
   * were read as far as they went when that was found.
   */
  private void noteMissing() {
    if (missing() == null) {
      endsWhenMissed = null;
      idleSince = null;
    } else if (endsWhenMissed == null) {
      endsWhenMissed = ends();
    }
    if (endsWhenMissed != null && idleSince == null && hasRead(endsWhenMissed)) {
      idleSince = nanos.getAsLong();
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    byte[] value = record.value();
    if (value == null || !Arrays.equals(key, record.key())) {
      return;
    }
    PlacedOutput output;
    if (record.topic().equals(decisions.topic())) {
      Decision decision = Wire.DECISION.decode(value);
      if (decision.seq() == SegmentWithoutSpec.UNNUMBERED) {
        return; // it repeats a decision, or no spec was there
      }
      output = unredactor.reveal(decision);
    } else {
      output = unredactor.reveal(Wire.SEGMENT_EVENT.decode(value));
    }
    if (output.writerEpoch() > 0) {
      throw WatchRefusal.NOT_EXACTLY_ONCE.because(
          "%s, offset %d: a job with equipoise.delivery: at-least-once wrote it and may withdraw it; end the registrations of its segment, and use exactly-once"
              .formatted(record.topic() + "-" + record.partition(), record.offset()));
    }
    waiting.put(output.seq(), new LoggedRecord(output, record.offset()));
  }

  /** Returns whether both partitions were read up to these offsets, and no record waits. */
  boolean isAt(Map<TopicPartition, Long> ends) {
    return !waiting.containsKey(next) && hasRead(ends);
  }

  private boolean hasRead(Map<TopicPartition, Long> ends) {
    Set<TopicPartition> paused = consumer.paused(); // further than the missing record
    return ends.entrySet().stream()
        .allMatch(
            it -> paused.contains(it.getKey()) || consumer.position(it.getKey()) >= it.getValue());
  }

  Map<TopicPartition, Long> ends() {
    return consumer.endOffsets(List.of(decisions, segmentEvents));
  }

  /** Returns the next seq if it is missing though later ones are there, or null. */
  @Nullable Long missing() {
    return waiting.isEmpty() || waiting.containsKey(next) ? null : (Long) next;
  }

  /** Returns the seq that is lost, or null. */
  @Nullable Long gap() {
    Long since = idleSince;
    return since != null && nanos.getAsLong() - since > PATIENCE.toNanos() ? (Long) next : null;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
