package io.equipoise.job.control;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchPromoted;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterSchemas;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
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

  /** Segments with a record whose registration is missing. */
  private final Set<String> torn = new HashSet<>();

  private final List<String> unreadable = new ArrayList<>();

  /** Whether registrations may be among the unreadable records. */
  private boolean isOfRegistry;

  /** Holds one registration with its evidence, its end and its promotion. */
  public static final class LedgerEntry {
    private final WatchRecord registration;
    private final SortedMap<Long, WatchEvidence> evidence = new TreeMap<>();
    private @Nullable WatchEnded ended;
    private long endedAt;
    private @Nullable WatchPromoted promoted;
    private long promotedAt;
    private @Nullable String supersededBy;
    private long writtenAt;

    private LedgerEntry(WatchRecord registration) {
      this.registration = registration;
    }

    public WatchRecord registration() {
      return registration;
    }

    public String segment() {
      return registration.segment();
    }

    /** Returns the registered challenger, null with a group monitor. */
    public @Nullable ChallengerRegistration challenger() {
      return registration.challenger();
    }

    /** Returns all evidence by its rows. */
    public SortedMap<Long, WatchEvidence> evidence() {
      return evidence;
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

    /** Returns the newest evidence whose gate passes, or null. */
    public @Nullable WatchEvidence newestThatPasses() {
      return evidence.values().stream()
          .filter(it -> it.ofChallenger() != null && it.ofChallenger().passes())
          .reduce((earlier, later) -> later)
          .orElse(null);
    }

    /** Returns when the newest evidence was written, epoch ms. */
    public long writtenAt() {
      return writtenAt;
    }

    public @Nullable WatchEnded ended() {
      return ended;
    }

    /** Returns when the end was recorded, epoch ms; 0 without one. */
    public long endedAt() {
      return endedAt;
    }

    public @Nullable WatchPromoted promoted() {
      return promoted;
    }

    /** Returns when the promotion was recorded, epoch ms; 0 without one. */
    public long promotedAt() {
      return promotedAt;
    }

    /** Returns whether the text was promoted, and the segment has had no input since. */
    public boolean isWaiting() {
      return promoted != null && ended == null && supersededBy == null;
    }

    /** Returns the key of the spec that was promoted while this text waited; null without one. */
    public @Nullable String supersededBy() {
      return supersededBy;
    }

    /** Returns whether the segment adopted another spec in place of the promoted text. */
    public boolean isPromotedInVain() {
      return promoted != null
          && ended != null
          && ended.adopted() != null
          && !promoted.specKey().endsWith("/" + ended.adopted());
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
    if (exists(config.kafka(), config.topics().watch())) {
      for (RawControl raw : CompactedTopic.read(config.kafka(), config.topics().watch())) {
        if (raw.appendTime() < until) {
          ledger.on(raw);
        }
      }
    }
    return ledger;
  }

  private static boolean exists(Properties kafka, String topic) {
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(kafka)) {
      return !consumer.partitionsFor(topic).isEmpty();
    }
  }

  /** Takes the next record of the topic; returns it, null if it has no value or is none. */
  public @Nullable WatchRecord on(RawControl raw) {
    byte[] value = raw.value();
    if (value == null) {
      return null;
    }
    try {
      WatchRecord record = Wire.WATCH.decode(value);
      on(record, raw.appendTime());
      return record;
    } catch (WireException e) {
      String why =
          "%s, partition %d, offset %d: skipped, it is no record of this topic: %s"
              .formatted(raw.topic(), raw.partition(), raw.offset(), e.getMessage());
      LOG.warn(why);
      unreadable.add(why);
      isOfRegistry |= WriterSchemas.isFramed(value);
      return null;
    }
  }

  /** Returns a sentence on each record that is none; all verbs skip them. */
  public List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  /** Takes the next record. A repeated one changes nothing. */
  public void on(WatchRecord record, long appendTime) {
    if (record.challenger() != null || record.groups() != null) {
      entries.putIfAbsent(record.id(), new LedgerEntry(record));
      return;
    }
    LedgerEntry entry = entries.get(record.id());
    if (entry == null) {
      torn.add(record.segment());
      return;
    }
    WatchEvidence found = record.evidence();
    if (found != null && entry.evidence.putIfAbsent(found.rows(), found) == null) {
      entry.writtenAt = Math.max(entry.writtenAt, appendTime);
    }
    if (entry.ended == null && record.ended() != null) {
      entry.ended = record.ended();
      entry.endedAt = appendTime;
    }
    WatchPromoted promoted = record.promoted();
    if (entry.promoted == null && promoted != null) {
      of(record.segment()).stream()
          .filter(it -> it.isWaiting() && !promoted.specKey().equals(it.promoted.specKey()))
          .forEach(it -> it.supersededBy = promoted.specKey());
      entry.promoted = promoted;
      entry.promotedAt = appendTime;
    }
  }

  /** Returns a registration, or null. */
  public @Nullable LedgerEntry entry(String id) {
    return entries.get(id);
  }

  /** Returns all registrations in the order of the topic. */
  public Collection<LedgerEntry> all() {
    return entries.values();
  }

  /** Returns the registrations of a segment in the order of the topic. */
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
    if (isOfRegistry) {
      throw new IllegalArgumentException(
          "registrations, which have spent a part of alpha, may be among " + unreadable);
    }
    List<ChallengerRegistration> candidates = candidates(segment);
    int last = candidates.isEmpty() ? 0 : candidates.get(candidates.size() - 1).number();
    if (torn.contains(segment) || last != candidates.size()) {
      throw new IllegalArgumentException(
          "topic watch: registrations of segment %s are missing, which have spent a part of alpha; restore the topic, and set its cleanup.policy to delete and its retention to -1"
              .formatted(segment));
    }
    return last + 1;
  }

  /** Returns every challenger that a segment ever had, in the order of their numbers. */
  public List<ChallengerRegistration> candidates(String segment) {
    return of(segment).stream().map(LedgerEntry::challenger).flatMap(Stream::ofNullable).toList();
  }
}
