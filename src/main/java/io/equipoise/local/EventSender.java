package io.equipoise.local;

import io.equipoise.event.TopicKind;
import io.equipoise.job.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends contexts and rewards of a deployment, keyed by segment, and waits for no broker. */
public final class EventSender implements AutoCloseable {
  private final Topics topics;
  private final Duration patience;
  private final Producer<byte[], byte[]> producer;
  private volatile @Nullable Exception failure;

  /**
   * Opens a producer.
   *
   * @param kafka its settings, with the brokers
   * @param patience how long {@link #close} waits for what is not sent yet
   */
  public EventSender(Topics topics, Properties kafka, Duration patience) {
    this.topics = topics;
    this.patience = patience;
    producer = new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Sends a record; what becomes of it {@link #failure} tells. */
  public void send(TopicKind kind, String segment, byte @Nullable [] value) {
    String topic = kind == TopicKind.CONTEXTS ? topics.contexts() : topics.rewards();
    byte[] key = segment.getBytes(StandardCharsets.UTF_8);
    var unused =
        producer.send(
            new ProducerRecord<>(topic, key, value),
            (metadata, problem) -> {
              if (problem != null) {
                failure = problem;
              }
            });
  }

  /** Returns why a record could not be sent; null where all could so far. */
  public @Nullable Exception failure() {
    return failure;
  }

  /** Stops for good; what is in the producer's buffer is still sent. */
  @Override
  public void close() {
    producer.close(patience);
  }
}
