package io.equipoise.tools.specs;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Consumers;
import io.equipoise.segmentspec.SegmentSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Follows the reactions of the job and its segments to records of the specs topic, from now on.
 *
 * <p>The job has read the records if a checkpoint has committed an offset above them. That takes
 * Kafka's source up to 10 s on a quiet topic. It has also read them if segments have adopted or
 * rejected each spec. It has accepted those that the dead letters written until then do not
 * contain.
 *
 * <p>State: the dead letters and adoptions since the start, by offset and by segment; {@link
 * #await} sets the records and the segments that are asked about. {@link #refused}, {@link
 * #rejected}, {@link #adopted} and {@link #pending} are derived at each call. {@code ends} are the
 * ends of the dead letters when the job was first known to have read the records. Not thread-safe.
 */
final class SpecWatch implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  /** Segments that have not adopted anything for so long have no traffic, or hardly any. */
  private static final Duration LEAST_QUIET = Duration.ofSeconds(5);

  /** The origin's topic of a rejection by a segment, in any deployment. */
  private static final String BY_SEGMENT = "specs";

  private final JobConfig config;
  private final Topics topics;
  private final Admin admin;
  private final Consumer<byte[], byte[]> consumer;
  private final List<TopicPartition> deadLetters;
  private final Map<Long, DeadLetter> refused = new TreeMap<>();
  private final Map<String, SegmentEvent> adopted = new TreeMap<>();
  private final Map<String, DeadLetter> rejected = new TreeMap<>();
  private Map<SegmentSpec, Long> sent = Map.of();
  private Map<String, String> expected = Map.of();
  private @Nullable Map<TopicPartition, Long> ends;
  private boolean isRead;

  /** Begins at the current ends of the topics. */
  SpecWatch(JobConfig config, Admin admin) {
    this.config = config;
    this.topics = config.topics();
    this.admin = admin;
    this.consumer = Consumers.committed(config.kafka());
    this.deadLetters = Consumers.existing(consumer, config.kafka(), List.of(topics.deadLetter()));
    List<TopicPartition> all = new ArrayList<>(deadLetters);
    all.addAll(Consumers.existing(consumer, config.kafka(), List.of(topics.segmentEvents())));
    consumer.assign(all);
    consumer.endOffsets(all).forEach(consumer::seek);
  }

  /**
   * Waits until the job has read all records and every segment with traffic has adopted or rejected
   * its spec, until the job has refused a record, or until the time is over. A segment adopts with
   * its next input, so those that are pending when no other has adopted for a while are idle.
   *
   * @param sent the records' offsets by the specs that they are about
   * @param expected hash of the spec that each active segment is to adopt
   */
  void await(Map<SegmentSpec, Long> sent, Map<String, String> expected, Duration atMost)
      throws InterruptedException {
    this.sent = Map.copyOf(sent);
    this.expected = new TreeMap<>(expected);
    long last = Collections.max(sent.values());
    long deadline = System.nanoTime() + atMost.toNanos();
    long quiet = quiet().toNanos();
    long progress = System.nanoTime();
    int waiting = expected.size();
    do {
      poll();
      if (!isRead || pending().size() < waiting) {
        progress = System.nanoTime();
        waiting = pending().size();
      }
      isRead = isRead || isReadBeyond(last);
    } while (System.nanoTime() < deadline
        && !(isRead
            && (waiting == 0 || !refused().isEmpty() || System.nanoTime() - progress > quiet)));
  }

  /** With exactly-once delivery an adoption is visible after the next checkpoint. */
  private Duration quiet() {
    Duration interval =
        config.delivery() == Delivery.EXACTLY_ONCE ? config.checkpointInterval() : Duration.ZERO;
    Duration twice = interval.multipliedBy(2);
    return twice.compareTo(LEAST_QUIET) > 0 ? twice : LEAST_QUIET;
  }

  private void poll() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      if (record.topic().equals(topics.segmentEvents())) {
        SegmentEvent event = Wire.SEGMENT_EVENT.decode(record.value());
        if (event.type() == SegmentEventType.SPEC_ADOPTED) {
          adopted.put(event.segment(), event);
        }
      } else {
        note(record.key(), Wire.DEAD_LETTER.decode(record.value()));
      }
    }
  }

  private void note(byte @Nullable [] key, DeadLetter letter) {
    if (letter.source().topic().equals(topics.specs())) {
      refused.put(letter.source().offset(), letter);
    } else if (letter.source().topic().equals(BY_SEGMENT)
        && letter.code().equals(ErrorCode.SPEC_REJECTED.name())
        && key != null) {
      rejected.put(new String(key, StandardCharsets.UTF_8), letter);
    }
  }

  /** Returns whether the job has read all records and reported all errors. */
  boolean isRead() {
    return isRead;
  }

  /** Returns why the job refuses records, by their keys. */
  Map<String, String> refused() {
    Map<String, String> why = new TreeMap<>();
    sent.forEach(
        (spec, offset) -> {
          DeadLetter letter = refused.get(offset);
          if (letter != null) {
            why.put(spec.key(), letter.code() + ": " + letter.message());
          }
        });
    return why;
  }

  /** Returns the adoptions of the records' specs, or of those that replace them, by segment. */
  Map<String, SegmentEvent> adopted() {
    Set<String> hashes = new HashSet<>(expected.values());
    sent.keySet().forEach(spec -> hashes.add(spec.hash()));
    Map<String, SegmentEvent> found = new TreeMap<>(adopted);
    found.values().removeIf(event -> !hashes.contains(String.valueOf(event.specHash())));
    return found;
  }

  /**
   * Returns why segments reject a spec, by segment; not in a deployment that encrypts dead letters,
   * because these name no segment.
   */
  Map<String, String> rejected() {
    Map<String, String> why = new TreeMap<>();
    rejected.forEach(
        (segment, letter) -> {
          if (keys().contains(keyOf(letter))) {
            why.put(segment, letter.message());
          }
        });
    return why;
  }

  /** Returns the active segments that have neither adopted nor rejected their spec. */
  Set<String> pending() {
    Set<String> pending = new TreeSet<>(expected.keySet());
    adopted.forEach(
        (segment, event) -> {
          if (String.valueOf(event.specHash()).equals(expected.get(segment))) {
            pending.remove(segment);
          }
        });
    pending.removeAll(rejected().keySet());
    return pending;
  }

  private Set<String> keys() {
    return sent.keySet().stream().map(SegmentSpec::key).collect(Collectors.toSet());
  }

  private static String keyOf(DeadLetter letter) {
    byte[] key = letter.input().key();
    return key == null ? "" : new String(key, StandardCharsets.UTF_8);
  }

  private boolean isReadBeyond(long offset) throws InterruptedException {
    if (ends == null && (isAnswered(offset) || committed() > offset)) {
      try (Consumer<byte[], byte[]> all = Consumers.uncommitted(config.kafka(), Map.of())) {
        ends = new HashMap<>(all.endOffsets(deadLetters));
      }
    }
    Map<TopicPartition, Long> until = ends;
    return until != null
        && deadLetters.stream().allMatch(at -> consumer.position(at) >= until.getOrDefault(at, 0L));
  }

  /** Returns whether the last record has a dead letter, or each spec was met by a segment. */
  private boolean isAnswered(long last) {
    Set<String> met = new HashSet<>();
    adopted.values().forEach(event -> met.add(String.valueOf(event.specHash())));
    rejected.values().forEach(letter -> met.add(keyOf(letter).replaceFirst(".*/", "")));
    met.retainAll(expected.values()); // no segment is expected to adopt a retired spec
    return refused.containsKey(last)
        || sent.keySet().stream().map(SegmentSpec::hash).allMatch(met::contains);
  }

  private long committed() throws InterruptedException {
    try {
      OffsetAndMetadata at =
          admin
              .listConsumerGroupOffsets(topics.consumerGroup())
              .partitionsToOffsetAndMetadata()
              .get()
              .get(new TopicPartition(topics.specs(), 0));
      return at == null ? -1 : at.offset();
    } catch (ExecutionException e) {
      throw new KafkaException(
          "group %s: its offsets cannot be read; allow Describe on the group: %s"
              .formatted(topics.consumerGroup(), e.getCause().getMessage()),
          e.getCause());
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
