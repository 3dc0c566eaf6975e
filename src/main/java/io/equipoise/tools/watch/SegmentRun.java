package io.equipoise.tools.watch;

import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.PublishedControls;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import io.equipoise.watch.SegmentWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Replays the log of one segment for its registrations and returns the records that follow from it.
 * A registration that comes later needs another run, from the log's beginning.
 *
 * @param watch of the registrations
 * @param tasks runs the replay of each challenger
 */
record SegmentRun(SegmentFollower follower, SegmentWatch watch, Executor tasks)
    implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  /**
   * Opens a run of a segment on the topics of a deployment.
   *
   * @param entries the registrations, all of one segment
   */
  static SegmentRun of(
      JobConfig config, List<LedgerEntry> entries, int maxPending, Executor tasks) {
    String segment = entries.get(0).segment();
    Consumer<byte[], byte[]> consumer = Consumers.committed(config.kafka(), Consumers.FOLLOWING);
    SegmentFollower follower =
        new SegmentFollower(
            consumer,
            WatchedSegment.partition(consumer, config.topics().decisions(), segment),
            WatchedSegment.partition(consumer, config.topics().segmentEvents(), segment),
            segment,
            config.privacy().unredactor(),
            System::nanoTime);
    PublishedTexts texts = new PublishedTexts(() -> PublishedControls.read(config).specs());
    SegmentWatch watch = new SegmentWatch(texts, maxPending, config.privacy().minimumCount());
    entries.forEach(entry -> watch.add(entry.registration()));
    return new SegmentRun(follower, watch, tasks);
  }

  /**
   * Reads on; returns the records that follow, in the order of the log.
   *
   * @param wait how long to wait for records of the log
   */
  List<WatchRecord> poll(Duration wait) {
    List<WatchRecord> records = new ArrayList<>(watch.on(follower.poll(wait), tasks));
    WatchEnded end = end(follower.gap());
    if (end != null) {
      records.addAll(watch.endAll(end));
    }
    return records;
  }

  /** Reads on up to the present end of the log; returns the records that follow. */
  List<WatchRecord> pollToTheEnd() {
    Map<TopicPartition, Long> ends = follower.ends();
    List<WatchRecord> records = new ArrayList<>();
    do {
      records.addAll(poll(POLL));
    } while (!watch.isOver() && !follower.isAt(ends));
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

  @Override
  public void close() {
    follower.close();
  }
}
