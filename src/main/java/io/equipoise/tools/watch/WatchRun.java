package io.equipoise.tools.watch;

import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Keeps the evidence on all open registrations up to date. Not thread-safe.
 *
 * <p>It has no state but the topics: a start reads the topic {@code watch}, replays the log of
 * every segment with an open registration from its beginning, and writes the records that are not
 * there yet. So a kill at any point costs time and nothing else. The ledger and the segments in
 * memory are derived from the topics up to the last {@link #step}.
 */
public final class WatchRun implements AutoCloseable {
  private final Consumer<byte[], byte[]> topic;
  private final WatchPublisher publisher;
  private final Runs runs;
  private final LongSupplier millis;
  private final WatchLedger ledger = new WatchLedger();
  private final Map<String, SegmentRun> segments = new TreeMap<>();

  /** Opens a run of a segment for its open registrations. */
  @FunctionalInterface
  interface Runs {
    SegmentRun open(String segment, List<WatchLedger.LedgerEntry> entries);
  }

  /**
   * Reads the topic to its end.
   *
   * @param topic a consumer, which it closes, and its only partition
   * @param publisher closed with this
   * @param millis a clock for the time of records that it has written itself
   */
  WatchRun(
      Consumer<byte[], byte[]> topic,
      TopicPartition partition,
      WatchPublisher publisher,
      Runs runs,
      LongSupplier millis) {
    this.topic = topic;
    this.publisher = publisher;
    this.runs = runs;
    this.millis = millis;
    topic.assign(List.of(partition));
    topic.seekToBeginning(List.of(partition));
    long end = topic.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    Set<String> met = new LinkedHashSet<>();
    while (topic.position(partition) < end) {
      met.addAll(follow(Duration.ofMillis(100)));
    }
    met.forEach(this::restart);
  }

  /** Runs all registrations of a deployment. */
  public static WatchRun of(JobConfig config, int maxPending, Executor tasks) {
    return new WatchRun(
        Consumers.committed(config.kafka()),
        new TopicPartition(config.topics().watch(), 0),
        new WatchPublisher(config),
        (segment, entries) -> WatchRunCommand.open(config, segment, entries, maxPending, tasks),
        System::currentTimeMillis);
  }

  /**
   * Reads on in the topic and in the log of each segment, and writes the records that follow.
   *
   * @param wait how long to wait for records
   * @return the records that were written
   * @throws EvidenceDiffersException if the topic has another record of the same rows
   */
  public List<WatchRecord> step(Duration wait) throws InterruptedException {
    follow(segments.isEmpty() ? wait : Duration.ZERO).forEach(this::restart);
    List<WatchRecord> fresh = new ArrayList<>();
    for (SegmentRun run : segments.values()) {
      for (WatchRecord record : run.poll(wait.dividedBy(segments.size()))) {
        if (isFresh(record)) {
          fresh.add(record);
        }
      }
    }
    publisher.write(fresh);
    fresh.forEach(record -> ledger.on(record, millis.getAsLong()));
    segments.values().removeIf(WatchRun::closedIfOver);
    return fresh;
  }

  private static boolean closedIfOver(SegmentRun run) {
    if (run.isOver()) {
      run.close();
    }
    return run.isOver();
  }

  /** Returns the segments with a new registration. */
  private Set<String> follow(Duration wait) {
    Set<String> segmentsMet = new LinkedHashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : topic.poll(wait)) {
      WatchRecord read = ledger.on(RawControl.of(record));
      if (read != null && (read.challenger() != null || read.groups() != null)) {
        segmentsMet.add(read.segment());
      } else if (read != null && read.ended() != null) {
        SegmentRun run = segments.get(read.segment());
        if (run != null) {
          run.withdraw(read.id());
        }
      }
    }
    return segmentsMet;
  }

  private void restart(String segment) {
    SegmentRun before = segments.remove(segment);
    if (before != null) {
      before.close();
    }
    List<WatchLedger.LedgerEntry> open =
        ledger.of(segment).stream().filter(WatchLedger.LedgerEntry::isOpen).toList();
    if (!open.isEmpty()) {
      segments.put(segment, runs.open(segment, open));
    }
  }

  private boolean isFresh(WatchRecord record) {
    WatchLedger.LedgerEntry entry = ledger.entry(record.id());
    if (entry == null || !entry.isOpen()) {
      return false;
    }
    WatchEvidence computed = record.evidence();
    WatchEvidence written = computed == null ? null : entry.evidence().get(computed.rows());
    if (written == null) {
      return true;
    }
    if (!written.equals(computed)) {
      throw new EvidenceDiffersException(record, written);
    }
    return false;
  }

  /** Returns the registrations and their evidence. */
  WatchLedger ledger() {
    return ledger;
  }

  /** Returns the last seq that was taken, by segment. */
  public Map<String, Long> seqs() {
    Map<String, Long> seqs = new TreeMap<>();
    segments.forEach((segment, run) -> seqs.put(segment, run.seq()));
    return seqs;
  }

  @Override
  public void close() {
    segments.values().forEach(SegmentRun::close);
    topic.close();
    publisher.close();
  }
}
