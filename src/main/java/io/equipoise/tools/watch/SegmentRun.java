package io.equipoise.tools.watch;

import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.watch.SegmentWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Replays the log of one segment for its registrations and returns the records that follow from it.
 * A registration that comes later needs another run, from the log's beginning.
 */
final class SegmentRun implements AutoCloseable {
  private final String segment;
  private final SegmentFollower follower;
  private final SegmentWatch watch;
  private final Map<String, WatchRecord> registered = new HashMap<>();
  private final Executor tasks;
  private final long minimum;

  /**
   * Prepares a run.
   *
   * @param entries the registrations, all of one segment
   * @param texts every spec that the log names
   * @param minimum known values of a published group
   */
  SegmentRun(
      SegmentFollower follower,
      List<LedgerEntry> entries,
      SpecRegistry texts,
      int maxPending,
      Executor tasks,
      long minimum) {
    this.follower = follower;
    this.tasks = tasks;
    this.minimum = minimum;
    segment = entries.get(0).segment();
    watch = new SegmentWatch(texts, maxPending);
    for (LedgerEntry entry : entries) {
      registered.put(entry.registration().id(), entry.registration());
      watch.add(entry.registration());
    }
  }

  /**
   * Reads on; returns the records that follow, in the order of the log.
   *
   * @param wait how long to wait for records of the log
   */
  List<WatchRecord> poll(Duration wait) {
    List<WatchRecord> records = new ArrayList<>(watch.on(follower.poll(wait), tasks));
    records.replaceAll(this::suppressed);
    WatchEnded end = end(follower.gap());
    if (end != null) {
      records.addAll(watch.endAll(end));
    }
    return records;
  }

  private WatchRecord suppressed(WatchRecord record) {
    WatchEvidence found = record.evidence();
    WatchRecord of = Objects.requireNonNull(registered.get(record.id()));
    return found == null ? record : of.with(WatchPrivacy.suppressed(found, of, minimum));
  }

  private static @Nullable WatchEnded end(@Nullable Long lost) {
    return lost == null
        ? null
        : new WatchEnded(WatchEnd.LOG_GAP, "seq " + lost + " is missing in the log");
  }

  /** Returns the end of all registrations if the next seq never comes, null if none is missing. */
  @Nullable WatchEnded endIfLost() {
    return end(follower.missing());
  }

  /** Forgets a registration that a person has ended. */
  void withdraw(String id) {
    watch.withdraw(id);
  }

  String segment() {
    return segment;
  }

  /** Returns the seq of the last record that was taken. */
  long seq() {
    return watch.seq();
  }

  /** Returns whether no registration counts any more. */
  boolean isOver() {
    return watch.isOver();
  }

  /** Returns the current ends of the log. */
  Map<TopicPartition, Long> ends() {
    return follower.ends();
  }

  /** Returns whether the log was read up to these offsets. */
  boolean isAt(Map<TopicPartition, Long> ends) {
    return follower.isAt(ends);
  }

  @Override
  public void close() {
    follower.close();
  }
}
