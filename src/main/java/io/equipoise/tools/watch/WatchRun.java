package io.equipoise.tools.watch;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.job.control.WatchPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Keeps the evidence on all open registrations up to date. Not thread-safe.
 *
 * <p>It has no state but the topics: a start reads the topic {@code watch}, replays the log of
 * every segment with an open registration from its beginning, and writes the records that are not
 * there yet. So a kill at any point costs time and nothing else. A later registration is replayed
 * from the log's beginning beside the others, which go on meanwhile. The ledger and the segments in
 * memory are derived from the topics up to the last {@link #step}.
 */
public final class WatchRun implements AutoCloseable {
  private final Consumer<byte[], byte[]> topic;
  private final WatchPublisher publisher;
  private final Function<List<LedgerEntry>, SegmentRun> runs;
  private final WatchLedger ledger = new WatchLedger();
  private final List<SegmentRun> segments = new ArrayList<>();

  /** Whether the last step took records, so that there may be more. */
  private boolean isBehind;

  /**
   * Reads the topic to its end.
   *
   * @param topic a consumer, which it closes, and its only partition
   * @param publisher closed with this
   * @param runs opens a run of a segment for some of its open registrations
   */
  WatchRun(
      Consumer<byte[], byte[]> topic,
      TopicPartition partition,
      WatchPublisher publisher,
      Function<List<LedgerEntry>, SegmentRun> runs) {
    this.topic = topic;
    this.publisher = publisher;
    this.runs = runs;
    topic.assign(List.of(partition));
    topic.seekToBeginning(List.of(partition));
    long end = topic.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    Set<String> met = new LinkedHashSet<>();
    while (topic.position(partition) < end) {
      met.addAll(follow(Duration.ofMillis(100)));
    }
    open(met);
  }

  public static WatchRun of(JobConfig config, int maxPending, Executor tasks) {
    return new WatchRun(
        Consumers.committed(config.kafka(), Consumers.FOLLOWING),
        new TopicPartition(config.topics().watch(), 0),
        new WatchPublisher(config),
        entries -> SegmentRun.of(config, entries, maxPending, tasks));
  }

  /**
   * Reads on in the topic and in the log of each segment, and writes the records that follow.
   *
   * @param wait how long to wait for records
   * @return the records that were written
   * @throws WatchRefusedException if the topic has another record of the same rows
   *     (EVIDENCE_DIFFERS), or the log may be withdrawn (NOT_EXACTLY_ONCE)
   */
  public List<WatchRecord> step(Duration wait) throws InterruptedException {
    open(follow(segments.isEmpty() ? wait : Duration.ZERO));
    List<WatchRecord> fresh = new ArrayList<>();
    Duration each =
        isBehind || segments.isEmpty() ? Duration.ZERO : wait.dividedBy(segments.size());
    isBehind = false;
    for (SegmentRun run : segments) {
      long before = run.watch().seq();
      run.poll(each).stream().filter(this::isFresh).forEach(fresh::add);
      isBehind |= run.watch().seq() > before;
    }
    publisher.write(fresh);
    fresh.forEach(record -> ledger.on(record, 0));
    segments.stream().filter(run -> run.watch().isOver()).forEach(SegmentRun::close);
    segments.removeIf(run -> run.watch().isOver());
    return fresh;
  }

  /** Returns the ids of new registrations. */
  private Set<String> follow(Duration wait) {
    Set<String> met = new LinkedHashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : topic.poll(wait)) {
      WatchRecord read = ledger.on(RawControl.of(record));
      if (read != null && (read.challenger() != null || read.groups() != null)) {
        met.add(read.id());
      } else if (read != null && read.ended() != null) {
        segments.forEach(run -> run.watch().withdraw(read.id()));
      }
    }
    return met;
  }

  private void open(Set<String> ids) {
    ids.stream()
        .map(ledger::entry)
        .flatMap(Stream::ofNullable)
        .filter(LedgerEntry::isOpen)
        .collect(groupingBy(LedgerEntry::segment, TreeMap::new, toList()))
        .values()
        .forEach(entries -> segments.add(runs.apply(entries)));
  }

  private boolean isFresh(WatchRecord record) {
    LedgerEntry entry = ledger.entry(record.id());
    if (entry == null || !entry.isOpen()) {
      return false;
    }
    WatchEvidence computed = record.evidence();
    WatchEvidence written = computed == null ? null : entry.evidence().get(computed.rows());
    if (written != null && !written.equals(computed)) {
      throw WatchRefusal.EVIDENCE_DIFFERS.because(WatchVerifyCommand.line(record.with(written)));
    }
    return written == null;
  }

  @Override
  public void close() {
    segments.forEach(SegmentRun::close);
    topic.close();
    publisher.close();
  }
}
