package io.equipoise.gateway;

import io.equipoise.event.TraceParent;
import io.equipoise.http.HttpCode;
import io.equipoise.http.Problem;
import io.equipoise.http.ProblemException;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.registry.Frames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends contexts and rewards: idempotent, acknowledged by all replicas, all records of a segment
 * in one partition. The future of a record ends when the brokers have it, or with a problem.
 * Thread-safe.
 *
 * <p>State: the bytes of the records whose future is open, and the failures since the last warning.
 */
final class InputSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InputSender.class);

  /** A server thread waits for free memory or the topic's metadata at most this long. */
  private static final Duration MAX_BLOCK = Duration.ofSeconds(1);

  /** After this long without the brokers a record is given up. */
  private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(20);

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
  private static final int RETRY_SECONDS = 2;

  /** Memory for records that wait for the brokers: an eighth of the heap, at most 32 MB. */
  private static final long MOST_BYTES = Math.min(32 << 20, HeapShare.bytes());

  private static final Duration WARN_EVERY = Duration.ofSeconds(10);

  private final AtomicLong unacknowledged = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong warnedAt = new AtomicLong();
  private final String contexts;
  private final String rewards;
  private final Producer<byte[], byte[]> producer;

  InputSender(JobConfig config) {
    contexts = config.topics().contexts();
    rewards = config.topics().rewards();
    Properties settings = config.kafka();
    settings.setProperty(ProducerConfig.ACKS_CONFIG, "all");
    settings.setProperty(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    settings.setProperty(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis(MAX_BLOCK));
    settings.setProperty(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis(DELIVERY_TIMEOUT));
    settings.setProperty(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(REQUEST_TIMEOUT));
    settings.setProperty(ProducerConfig.LINGER_MS_CONFIG, "0");
    settings.setProperty(ProducerConfig.BUFFER_MEMORY_CONFIG, Long.toString(MOST_BYTES));
    settings.setProperty(
        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
        Integer.toString(JobConfig.largestMessageBytes(config.maxRecordBytes())));
    producer = new KafkaProducer<>(settings, new ByteArraySerializer(), Frames.serializer(config));
  }

  /** Reads the metadata of both topics, so that no request waits for it. */
  void warmUp() {
    for (String topic : new String[] {contexts, rewards}) {
      try {
        int unused = producer.partitionsFor(topic).size();
      } catch (KafkaException e) {
        LOG.warn("Topic {} is not known yet", topic);
      }
    }
  }

  /**
   * Sends the value of a context.
   *
   * @param traceParent header of the record; null without one
   */
  CompletableFuture<Void> context(String segment, byte[] value, @Nullable String traceParent) {
    return send(contexts, segment, value, traceParent);
  }

  /** Sends the value of a reward; fails at once if too many bytes wait for the brokers. */
  CompletableFuture<Void> reward(String segment, byte[] value) {
    return send(rewards, segment, value, null);
  }

  /** Refuses at once what does not fit, since the producer would block a thread of the server. */
  private CompletableFuture<Void> send(
      String topic, String segment, byte[] value, @Nullable String traceParent) {
    CompletableFuture<Void> appended = new CompletableFuture<>();
    if (unacknowledged.addAndGet(value.length) > MOST_BYTES / 2) {
      unacknowledged.addAndGet(-value.length);
      return CompletableFuture.failedFuture(unavailable(topic));
    }
    var unusedToo =
        appended.whenComplete((done, failure) -> unacknowledged.addAndGet(-value.length));
    byte[] key = segment.getBytes(StandardCharsets.UTF_8);
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key, value);
    if (traceParent != null) {
      record.headers().add(TraceParent.HEADER, traceParent.getBytes(StandardCharsets.US_ASCII));
    }
    try {
      var unused =
          producer.send(
              record,
              (place, failure) -> {
                if (failure == null) {
                  appended.complete(null);
                } else {
                  appended.completeExceptionally(failed(topic, failure));
                }
              });
    } catch (KafkaException e) {
      appended.completeExceptionally(failed(topic, e));
    }
    return appended;
  }

  /** Warns of the first failure, and later of all since the last warning. */
  private ProblemException failed(String topic, Exception failure) {
    long count = failures.incrementAndGet();
    long now = System.nanoTime();
    long last = warnedAt.get();
    if ((last == 0 || now - last > WARN_EVERY.toNanos()) && warnedAt.compareAndSet(last, now)) {
      failures.addAndGet(-count);
      LOG.warn(
          "{} records were not acknowledged, the last for topic {}: {}",
          count,
          topic,
          failure.getMessage());
    }
    return unavailable(topic);
  }

  private static ProblemException unavailable(String topic) {
    return new ProblemException(
        Problem.of(HttpCode.NOT_READY, "the brokers did not acknowledge a record of " + topic)
            .retryAfter(RETRY_SECONDS));
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }

  /** Waits until the accepted records are appended, and closes the producer. */
  @Override
  public void close() {
    producer.close(DELIVERY_TIMEOUT);
  }
}
