package io.equipoise.job.control;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchPromoted;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the records of the topic {@code watch}: every registration with its evidence, its end
 * and its promotion. It is also the ledger of alpha: a segment's candidates share it over the whole
 * life of the topic. All of it is derived from the records taken so far. Not thread-safe.
 */
public final class WatchLedger {
  private static final Logger LOG = LoggerFactory.getLogger(WatchLedger.class);

  private final Map<String, LedgerEntry> entries = new LinkedHashMap<>();

  /** Whether registrations may be missing: a record is none, or has no registration. */
  private boolean isTorn;

  /**
   * Holds one registration with its evidence, its end and its promotion.
   *
   * @param evidence by its rows
   * @param writtenAt when the newest evidence was written, epoch ms
   */
  public record LedgerEntry(
      WatchRecord registration,
      SortedMap<Long, WatchEvidence> evidence,
      @Nullable WatchEnded ended,
      @Nullable WatchPromoted promoted,
      long writtenAt) {

    public String segment() {
      return registration.segment();
    }

    /** Returns the registered challenger, null with a group monitor. */
    public @Nullable ChallengerRegistration challenger() {
      return registration.challenger();
    }

    /** Returns the evidence with the most rows, null before the first. */
    public @Nullable WatchEvidence newest() {
      return evidence.isEmpty() ? null : evidence.get(evidence.lastKey());
    }

    /** Returns the newest evidence on a challenger, null before the first. */
    public @Nullable ChallengerEvidence ofChallenger() {
      WatchEvidence newest = newest();
      return newest == null ? null : newest.ofChallenger();
    }

    /** Returns whether the gate passes in the newest evidence on a challenger. */
    public boolean passes() {
      ChallengerEvidence found = ofChallenger();
      return found != null && found.passes();
    }

    public boolean isOpen() {
      return ended == null;
    }

    /**
     * Returns whether an open challenger was compared with a spec that the segment has left; the
     * next step of {@code watch run} ends it.
     *
     * @param running hash of the spec that the segment runs; null if it is not known
     */
    public boolean isOutdated(@Nullable String running) {
      ChallengerRegistration challenger = challenger();
      return isOpen()
          && challenger != null
          && running != null
          && !challenger.championHash().equals(running);
    }
  }

  /**
   * Reads the topic to its end; a missing topic has no records.
   *
   * @throws org.apache.kafka.common.KafkaException if it cannot be read
   */
  public static WatchLedger read(JobConfig config) {
    return read(config, Long.MAX_VALUE);
  }

  /**
   * As {@link #read(JobConfig)}, of the records before a time.
   *
   * @param until append time, epoch ms, exclusive
   */
  public static WatchLedger read(JobConfig config, long until) {
    WatchLedger ledger = new WatchLedger();
    String topic = config.topics().watch();
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(config.kafka())) {
      if (consumer.partitionsFor(topic).isEmpty()) {
        return ledger;
      }
    }
    CompactedTopic.read(config.kafka(), topic).stream()
        .filter(raw -> raw.appendTime() < until)
        .forEach(ledger::on);
    return ledger;
  }

  /** Takes the next record of the topic; returns it, null if it is none, which is skipped. */
  public @Nullable WatchRecord on(RawControl raw) {
    try {
      WatchRecord record = Wire.WATCH.decode(raw.value() == null ? new byte[0] : raw.value());
      on(record, raw.appendTime());
      return record;
    } catch (WireException e) {
      LOG.warn("{}, offset {}: skipped: {}", raw.topic(), raw.offset(), e.getMessage());
      isTorn = true;
      return null;
    }
  }

  /** Takes the next record. A repeated one changes nothing. */
  public void on(WatchRecord record, long appendTime) {
    if (record.challenger() != null || record.groups() != null) {
      entries.putIfAbsent(record.id(), new LedgerEntry(record, new TreeMap<>(), null, null, 0));
      return;
    }
    LedgerEntry entry = entries.get(record.id());
    if (entry == null) {
      isTorn = true;
      return;
    }
    WatchEvidence found = record.evidence();
    boolean isNew = found != null && entry.evidence.putIfAbsent(found.rows(), found) == null;
    entries.put(
        record.id(),
        new LedgerEntry(
            entry.registration,
            entry.evidence,
            entry.ended == null ? record.ended() : entry.ended,
            entry.promoted == null ? record.promoted() : entry.promoted,
            isNew ? Math.max(entry.writtenAt, appendTime) : entry.writtenAt));
  }

  public @Nullable LedgerEntry entry(String id) {
    return entries.get(id);
  }

  public Collection<LedgerEntry> all() {
    return entries.values();
  }

  public List<LedgerEntry> of(String segment) {
    return entries.values().stream().filter(it -> it.segment().equals(segment)).toList();
  }

  /**
   * Returns the number of a segment's next candidate.
   *
   * @throws IllegalArgumentException if registrations are missing, so that nobody knows how much of
   *     alpha they have spent
   */
  public int nextNumber(String segment) {
    List<ChallengerRegistration> candidates = candidates(segment);
    int last = candidates.isEmpty() ? 0 : candidates.get(candidates.size() - 1).number();
    if (isTorn || last != candidates.size()) {
      throw new IllegalArgumentException(
          "topic watch: registrations, which have spent a part of alpha, are missing or cannot be read (set schema.registry.url if they were written so); restore the topic, and set its cleanup.policy to delete and its retention to -1");
    }
    return last + 1;
  }

  /** Returns every challenger that a segment ever had, in the order of their numbers. */
  public List<ChallengerRegistration> candidates(String segment) {
    return of(segment).stream().map(LedgerEntry::challenger).flatMap(Stream::ofNullable).toList();
  }
}
