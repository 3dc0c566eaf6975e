package io.equipoise.tools.watch;

import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.Wire;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.job.control.WatchPublisher;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.Unredactor;
import io.equipoise.watch.LoggedRecord;
import io.equipoise.watch.SegmentWatch;
import io.equipoise.watch.WatchedLog;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The topics of a deployment in memory, read and written by Kafka's clients for tests. */
final class WatchTopics {
  static final TopicPartition WATCH = new TopicPartition("shop.watch", 0);

  private static final TopicPartition DECISIONS = new TopicPartition("shop.decisions", 0);
  private static final TopicPartition EVENTS = new TopicPartition("shop.segment-events", 0);
  private static final byte[] KEY = WatchedLog.SEGMENT.getBytes(StandardCharsets.UTF_8);

  final List<WatchRecord> watch = new ArrayList<>();

  /** Whether another segment gets a decision in the same partition before each poll. */
  boolean isBusy;

  private @Nullable MockConsumer<byte[], byte[]> topic;
  private @Nullable MockConsumer<byte[], byte[]> segmentLog;
  private final WatchedLog texts;
  private final List<LoggedRecord> log;

  /** Takes the log of one segment, in the order of its records. */
  WatchTopics(WatchedLog texts, List<LoggedRecord> log) {
    this.texts = texts;
    this.log = log;
  }

  private static MockConsumer<byte[], byte[]> consumer(Map<TopicPartition, Long> ends) {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.updateEndOffsets(ends);
    ends.keySet().forEach(at -> consumer.updateBeginningOffsets(Map.of(at, 0L)));
    return consumer;
  }

  /** Opens a follower whose consumer gets so many records of a topic a poll. */
  SegmentFollower follower(long perPoll, LongSupplier nanos) {
    long decisions = log.stream().filter(it -> it.output() instanceof Decision).count();
    MockConsumer<byte[], byte[]> consumer =
        consumer(Map.of(DECISIONS, decisions, EVENTS, log.size() - decisions));
    consumer.setMaxPollRecords(perPoll);
    segmentLog = consumer;
    SegmentFollower follower =
        new SegmentFollower(
            consumer, DECISIONS, EVENTS, WatchedLog.SEGMENT, new Unredactor(KeyRing.none()), nanos);
    long offset = 0;
    long event = 0;
    for (LoggedRecord each : log) {
      if (each.output() instanceof Decision decision) {
        consumer.addRecord(record(DECISIONS, offset++, Wire.DECISION.encode(decision)));
      } else if (each.output() instanceof SegmentEvent segmentEvent) {
        consumer.addRecord(record(EVENTS, event++, Wire.SEGMENT_EVENT.encode(segmentEvent)));
      }
    }
    if (isBusy) {
      for (int poll = 0; poll < 100; poll++) {
        long at = offset++;
        consumer.schedulePollTask(
            () -> {
              consumer.addRecord(
                  new ConsumerRecord<>(
                      DECISIONS.topic(), DECISIONS.partition(), at, new byte[1], new byte[1]));
              consumer.updateEndOffsets(Map.of(DECISIONS, at + 1));
            });
      }
    }
    return follower;
  }

  private static ConsumerRecord<byte[], byte[]> record(
      TopicPartition at, long offset, byte[] value) {
    return new ConsumerRecord<>(at.topic(), at.partition(), offset, KEY, value);
  }

  SegmentRun segment(List<LedgerEntry> entries, long perPoll, LongSupplier nanos) {
    SegmentWatch watch = new SegmentWatch(texts, 200_000, 1);
    entries.forEach(entry -> watch.add(entry.registration()));
    return new SegmentRun(follower(perPoll, nanos), watch, Runnable::run);
  }

  /** Starts a process that reads so many records a poll. */
  WatchRun start(long perPoll, LongSupplier nanos) {
    MockConsumer<byte[], byte[]> reader = consumer(Map.of(WATCH, (long) watch.size()));
    topic = reader;
    reader.schedulePollTask(
        () -> {
          for (int offset = 0; offset < watch.size(); offset++) {
            reader.addRecord(record(WATCH, offset, Wire.WATCH.encode(watch.get(offset))));
          }
        });
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    return new WatchRun(
        reader,
        WATCH,
        new WatchPublisher(WATCH.topic(), producer),
        entries -> segment(entries, perPoll, nanos));
  }

  /** Returns whether the follower that was opened last is closed. */
  boolean isLogClosed() {
    return Objects.requireNonNull(segmentLog).closed();
  }

  /** Appends a record while a process runs. */
  void append(WatchRecord record) {
    Objects.requireNonNull(topic).addRecord(record(WATCH, watch.size(), Wire.WATCH.encode(record)));
    watch.add(record);
  }

  /** Runs a process to the end of the log; returns what it writes. */
  List<WatchRecord> written(long perPoll) throws InterruptedException {
    List<WatchRecord> written = new ArrayList<>();
    long steps = 2L * log.size() / Math.min(perPoll, SegmentFollower.BATCH) + 8;
    try (WatchRun run = start(perPoll, () -> 0)) {
      for (long step = 0; step < steps; step++) {
        written.addAll(run.step(Duration.ZERO));
      }
    }
    return written;
  }
}
