package io.equipoise.local.demo;

import io.equipoise.event.TopicKind;
import io.equipoise.job.JobConfig;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends the demo's records and keeps the books of what was sent, record by record. */
final class Post implements AutoCloseable {
  private static final int LINGER_MILLIS = 2;

  private final JobConfig config;
  private final Producer<byte[], byte[]> producer;
  private final Map<Place, Parcel> refusals = new ConcurrentHashMap<>();
  private final Map<Place, Long> appendTimes = new ConcurrentHashMap<>();
  private final Map<String, Long> contexts = new HashMap<>();
  private final Map<String, Long> rewards = new HashMap<>();
  private final Set<String> unanswered = new HashSet<>();
  private volatile @Nullable Exception failure;

  Post(JobConfig config) {
    this.config = config;
    Properties settings = config.kafka();
    settings.setProperty("acks", "all");
    settings.setProperty("linger.ms", Integer.toString(LINGER_MILLIS));
    producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Sends a record to the partition of a segment. */
  void send(String keySegment, Parcel parcel) {
    send(null, keySegment, parcel);
  }

  /** Sends a record to a partition, whatever its segment. */
  void send(int partition, Parcel parcel) {
    send(Integer.valueOf(partition), String.valueOf(parcel.segment()), parcel);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback is told of failures
  private void send(@Nullable Integer partition, String keySegment, Parcel parcel) {
    boolean isContext = parcel.kind() == TopicKind.CONTEXTS;
    if (parcel.segment() != null) {
      (isContext ? contexts : rewards).merge(parcel.segment(), 1L, Long::sum);
      if (parcel.decisionId() != null) {
        unanswered.add(answerKey(parcel.segment(), parcel.decisionId()));
      }
    }
    String topic = isContext ? config.topics().contexts() : config.topics().rewards();
    byte[] key = keySegment.getBytes(StandardCharsets.UTF_8);
    producer.send(
        new ProducerRecord<>(topic, partition, key, parcel.value()),
        (metadata, problem) -> {
          if (problem != null) {
            failure = problem;
            return;
          }
          Place place = new Place(metadata.topic(), metadata.partition(), metadata.offset());
          appendTimes.put(place, metadata.timestamp());
          if (parcel.refusal() != null) {
            refusals.put(place, parcel);
          }
        });
  }

  /** Waits until the broker has all that was sent. */
  void flush() {
    producer.flush();
    check();
  }

  /** Throws if a record could not be sent. */
  void check() {
    if (failure != null) {
      throw new IllegalStateException("the broker did not take a record", failure);
    }
  }

  /** Takes note of an answer; returns false if none was open. */
  boolean answered(String segment, String decisionId) {
    return unanswered.remove(answerKey(segment, decisionId));
  }

  /** Returns the number of contexts that wait for their answer. */
  int unanswered() {
    return unanswered.size();
  }

  /** Returns when the broker appended a record that it has acknowledged, or null. */
  @Nullable Long appendTime(Place place) {
    return appendTimes.get(place);
  }

  /** Returns what must come back as dead letters, once {@link #flush} has returned. */
  Map<Place, Parcel> refusals() {
    return refusals;
  }

  /** Returns how many contexts the ledger of a segment must show. */
  long contexts(String segment) {
    return contexts.getOrDefault(segment, 0L);
  }

  /** Returns how many rewards the ledger of a segment must show. */
  long rewards(String segment) {
    return rewards.getOrDefault(segment, 0L);
  }

  /** Returns how many records have been acknowledged. */
  int records() {
    return appendTimes.size();
  }

  @Override
  public void close() {
    producer.close();
  }

  private static String answerKey(String segment, String decisionId) {
    return segment + "/" + decisionId;
  }
}
