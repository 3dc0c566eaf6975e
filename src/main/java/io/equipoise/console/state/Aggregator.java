package io.equipoise.console.state;

import io.equipoise.client.Answers;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.IdHash;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Source;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.job.control.WatchLedger;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the data that the console shows, in bounded memory: the history of each segment, the
 * records of recent decisions, and the rejected inputs. Thread-safe; {@link #read} gives a
 * consistent view.
 *
 * <p>A decision counts once, as {@link Answers} selects it. Of other records of at-least-once
 * delivery, repetitions of a later writer epoch do not count again.
 *
 * <p>State: everything is summed from the records as they come, and nothing is read again; so the
 * figures cover the time since the follower's first record. The follower's thread writes, the
 * threads of requests read. {@code now} is the clock's time at the latest record. {@code version}
 * grows with each change.
 */
public final class Aggregator {
  /** Decisions that {@link Answers} keeps of each partition, about 12 MB. */
  private static final int ANSWERS_WINDOW = 20_000;

  private static final int MOST_SILENT = 1_000;

  private final TimeAxis axis;
  private final Limits limits;
  private final SharedLimit series;
  private final SharedLimit effects;
  private final Answers answers = new Answers(ANSWERS_WINDOW);
  private final Map<String, SegmentHistory> segments = new LinkedHashMap<>();
  private final RecentRecords recent;

  /** Segments that have only dead letters so far; any input may name one, so few are kept. */
  private final Map<String, SegmentHistory> silent = new LinkedHashMap<>();

  private final RejectionLog rejections = new RejectionLog();
  private final Map<TopicPartition, Long> answered = new HashMap<>();
  private final Map<LogTopic, Ring> counts = new HashMap<>();
  private final Ring rewards = new Ring();
  private final TreeMap<Long, SeenDecision> newest = new TreeMap<>();
  private long recordsLeftOut;
  private long unreadable;
  private long lastPurge;
  private long now;
  private int highestEpoch;
  private long version;

  /** Dates a decision: its bucket, when it was written and when the console saw it, epoch ms. */
  public record SeenDecision(Decision decision, long bucket, long written, long seenAt) {}

  public Aggregator(TimeAxis axis, Limits limits) {
    this.axis = axis;
    this.limits = limits;
    series = new SharedLimit(limits.series());
    effects = new SharedLimit(limits.effects());
    recent = new RecentRecords(limits.recentBytes());
  }

  /**
   * Takes the next committed record of a partition.
   *
   * @param now the time of the clock, epoch ms
   */
  public synchronized void on(LogTopic topic, ConsumerRecord<byte[], byte[]> record, long now) {
    version++;
    this.now = now;
    try {
      switch (topic) {
        case DECISIONS -> answers.valid(record).ifPresent(it -> onDecision(it, record));
        case AUDIT -> onAudit(Wire.AUDIT.decode(value(record)), record);
        case SEGMENT_EVENTS -> onEvent(Wire.SEGMENT_EVENT.decode(value(record)), record);
        case METRICS -> onMetrics(Wire.METRICS.decode(value(record)), record);
        case EXPERIMENTS -> onStep(Wire.EXPERIMENT.decode(value(record)), record);
        case DEAD_LETTER -> onDeadLetter(Wire.DEAD_LETTER.decode(value(record)), record);
        case CONTEXTS, REWARDS -> throw new IllegalArgumentException(topic + " is an input");
      }
    } catch (WireException e) {
      unreadable++;
    }
  }

  private static byte[] value(ConsumerRecord<byte[], byte[]> record) {
    return record.value() == null ? new byte[0] : record.value();
  }

  private void onDecision(Decision decision, ConsumerRecord<byte[], byte[]> record) {
    if (!decision.isRepeated()) {
      keep(LogTopic.DECISIONS, decision.segment(), IdHash.of(decision.decisionId()), record);
    }
    if (!answers.isFirst(decision, record)) {
      return;
    }
    newest.put(
        bucket(record),
        new SeenDecision(
            decision.withFeatures(null, null), bucket(record), record.timestamp(), now));
    if (newest.size() > TimeAxis.BUCKETS) {
      newest.pollFirstEntry();
    }
    highestEpoch = Math.max(highestEpoch, decision.writerEpoch());
    answered(decision.source());
    if (decision.isChosen()) {
      count(LogTopic.DECISIONS, record);
    }
    boolean isName = ErrorCode.TOO_MANY_SEGMENTS.name().equals(decision.errorCode());
    Optional<SegmentHistory> of = // a name that was refused is no segment; its dead letter counts
        isName
            ? Optional.ofNullable(segments.get(Names.cut(decision.segment())))
            : segment(decision.segment(), record);
    of.ifPresent(it -> it.on(decision, bucket(record), record.timestamp()));
  }

  private void onAudit(FairnessAudit audit, ConsumerRecord<byte[], byte[]> record) {
    keep(LogTopic.AUDIT, audit.segment(), IdHash.of(audit.decisionId()), record);
    segment(audit.segment(), record)
        .ifPresent(it -> it.on(audit, bucket(record), record.timestamp()));
  }

  private void onEvent(SegmentEvent event, ConsumerRecord<byte[], byte[]> record) {
    String hash = event.hashOfDecision();
    if (hash != null) {
      keep(LogTopic.SEGMENT_EVENTS, event.segment(), IdHash.ofHex(hash), record);
    }
    if (event.learned()) {
      count(LogTopic.REWARDS, record);
    }
    if (event.observedReward() != null) {
      rewards.add(bucket(record), 1);
    }
    segment(event.segment(), record)
        .ifPresent(it -> it.on(event, bucket(record), record.timestamp()));
  }

  private void onMetrics(SegmentMetrics metrics, ConsumerRecord<byte[], byte[]> record) {
    segment(metrics.segment(), record).ifPresent(it -> it.on(metrics, record.timestamp()));
  }

  private void onStep(ExperimentRecord step, ConsumerRecord<byte[], byte[]> record) {
    segment(step.segment(), record).ifPresent(it -> it.on(step, record.timestamp()));
  }

  private void onDeadLetter(DeadLetter deadLetter, ConsumerRecord<byte[], byte[]> record) {
    rejections.on(deadLetter, record.timestamp());
    count(LogTopic.DEAD_LETTER, record);
    answered(deadLetter.source());
    String name = deadLetter.segment();
    if (name != null) {
      if (deadLetter.input().decisionId() != null) {
        keep(LogTopic.DEAD_LETTER, name, IdHash.of(deadLetter.input().decisionId()), record);
      }
      String key = Names.cut(name);
      SegmentHistory known = segments.get(key);
      (known == null ? silent.computeIfAbsent(key, this::history) : known)
          .onDeadLetter(bucket(record), record.timestamp());
      if (silent.size() > MOST_SILENT) {
        silent.remove(silent.keySet().iterator().next());
      }
    }
  }

  private void answered(Source source) {
    answered.merge(
        new TopicPartition(source.topic(), source.partition()), source.offset(), Math::max);
  }

  private void keep(
      LogTopic topic, String segment, IdHash id, ConsumerRecord<byte[], byte[]> record) {
    recent.add(segment, id, new StoredRecord(topic, record.timestamp(), value(record)));
  }

  private void count(LogTopic topic, ConsumerRecord<byte[], byte[]> record) {
    counts.computeIfAbsent(topic, any -> new Ring()).add(bucket(record), 1);
  }

  /** A wrong clock of a writer must not move the window into the future. */
  private long bucket(ConsumerRecord<byte[], byte[]> record) {
    return axis.bucketOf(Math.min(record.timestamp(), now));
  }

  private Optional<SegmentHistory> segment(String name, ConsumerRecord<byte[], byte[]> record) {
    String key = Names.cut(name);
    SegmentHistory known = segments.get(key);
    if (known == null && (segments.size() < limits.segments() || purge(record.timestamp()))) {
      SegmentHistory earlier = silent.remove(key);
      known = earlier == null ? history(key) : earlier;
      segments.put(key, known);
    }
    if (known == null) {
      recordsLeftOut++;
    }
    return Optional.ofNullable(known);
  }

  private SegmentHistory history(String name) {
    return new SegmentHistory(name, limits, series, effects);
  }

  /** Removes the segment that is silent for longest if the window does not contain it any more. */
  private boolean purge(long now) {
    if (now - lastPurge < axis.bucketMillis()) {
      return false;
    }
    lastPurge = now;
    SegmentHistory silent =
        Collections.min(segments.values(), Comparator.comparingLong(SegmentHistory::lastTime));
    if (silent.lastTime() > now - axis.historyMillis()) {
      return false;
    }
    segments.remove(silent.name());
    silent.release();
    return true;
  }

  /** Takes the entries of the topic {@code watch} on each known segment. */
  public synchronized void watched(WatchLedger ledger) {
    segments.forEach((name, segment) -> segment.watched(ledger.of(name)));
    version++;
  }

  /** Runs a query while no record is taken. The query must not keep its argument. */
  public synchronized <T> T read(Function<Aggregator, T> query) {
    return query.apply(this);
  }

  public TimeAxis axis() {
    return axis;
  }

  /** Returns a segment, null if unknown. For use in {@link #read}. */
  public @Nullable SegmentHistory segment(String name) {
    return segments.get(Names.cut(name));
  }

  /** Returns all segments. For use in {@link #read}. */
  public Collection<SegmentHistory> segments() {
    return Collections.unmodifiableCollection(segments.values());
  }

  /** Returns the records of recent decisions. For use in {@link #read}. */
  public RecentRecords recent() {
    return recent;
  }

  /** Returns the rejected inputs. For use in {@link #read}. */
  public RejectionLog rejections() {
    return rejections;
  }

  /**
   * Returns how many records of a topic counted in a range of buckets: decisions of contexts that
   * were neither refused nor repeated, dead letters, and as rewards those that were learned.
   */
  public synchronized long count(LogTopic topic, long first, long last) {
    Ring ring = counts.get(topic);
    return ring == null ? 0 : (long) ring.total(first, last);
  }

  /**
   * Returns how many rewards the segments took in a range of buckets, without confirmations of what
   * was shown.
   */
  public synchronized long rewards(long first, long last) {
    return (long) rewards.total(first, last);
  }

  /** Returns the greatest offset of an input partition that has a decision or a dead letter. */
  public synchronized @Nullable Long answered(TopicPartition partition) {
    return answered.get(partition);
  }

  /** Returns the latest decision of each bucket, the newest bucket first. */
  public synchronized List<SeenDecision> newest() {
    return List.copyOf(newest.descendingMap().values());
  }

  /** Returns how many records of segments beyond the limit were left out. */
  public synchronized long recordsLeftOut() {
    return recordsLeftOut;
  }

  /** Returns how many records could not be decoded. */
  public synchronized long unreadable() {
    return unreadable;
  }

  /** Returns the highest writer epoch; 0 with exactly-once delivery. */
  public synchronized int highestEpoch() {
    return highestEpoch;
  }

  /** Returns a number that grows with each record. */
  public synchronized long version() {
    return version;
  }
}
