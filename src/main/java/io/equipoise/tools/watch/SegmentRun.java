package io.equipoise.tools.watch;

import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.watch.LoggedRecord;
import io.equipoise.watch.SegmentWatch;
import io.equipoise.watch.WatchResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final Map<String, WatchRecord> open = new LinkedHashMap<>();
  private final List<WatchRecord> refused = new ArrayList<>();
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
      List<WatchLedger.LedgerEntry> entries,
      SpecRegistry texts,
      int maxPending,
      Executor tasks,
      long minimum) {
    this.follower = follower;
    this.tasks = tasks;
    this.minimum = minimum;
    segment = entries.get(0).segment();
    watch = new SegmentWatch(segment, texts, maxPending);
    entries.forEach(entry -> add(entry.registration()));
  }

  private void add(WatchRecord registration) {
    ChallengerRegistration challenger = registration.challenger();
    GroupsRegistration groups = registration.groups();
    try {
      if (challenger != null) {
        watch.challenger(registration.id(), challenger);
      } else if (groups != null) {
        watch.groups(registration.id(), groups);
      }
      open.put(registration.id(), registration);
    } catch (SpecException | IllegalArgumentException e) {
      refused.add(
          registration.with(new WatchEnded(WatchEnd.FAILED, String.valueOf(e.getMessage()))));
    }
  }

  /**
   * Reads on; returns the records that follow, in the order of the log.
   *
   * @param wait how long to wait for records of the log
   */
  List<WatchRecord> poll(Duration wait) {
    List<WatchRecord> records = new ArrayList<>(refused);
    refused.clear();
    List<LoggedRecord> batch = follower.poll(wait);
    for (WatchResult result : watch.on(batch, tasks)) {
      add(result, records);
    }
    WatchEnded end = end(follower.gap());
    if (end != null) {
      open.values().forEach(registration -> records.add(registration.with(end)));
      open.clear();
    }
    return records;
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

  private void add(WatchResult result, List<WatchRecord> records) {
    WatchRecord registration = open.get(result.id());
    if (registration == null) {
      return;
    }
    if (result instanceof WatchResult.Evidence found) {
      records.add(
          registration.with(WatchPrivacy.suppressed(found.evidence(), registration, minimum)));
    } else if (result instanceof WatchResult.Ended ended) {
      open.remove(result.id());
      records.add(registration.with(new WatchEnded(ended.reason(), ended.message())));
    }
  }

  /** Forgets a registration that a person has ended. */
  void withdraw(String id) {
    open.remove(id);
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
    return open.isEmpty() && refused.isEmpty();
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
