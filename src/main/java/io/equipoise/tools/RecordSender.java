package io.equipoise.tools;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.job.registry.Frames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends contexts and rewards to the topics of a deployment without waiting for the broker. */
public final class RecordSender implements AutoCloseable {
  private final Topics topics;
  private final Duration patience;
  private final Listener listener;
  private final Producer<byte[], byte[]> producer;
  private volatile @Nullable Exception failure;

  /** Receives each record when it is sent and when it is appended. */
  public interface Listener {
    /** Called before a record is sent, in the sending thread. */
    default void onSend(TestRecord record) {}

    /** Called when the broker has appended a record, in a producer thread. */
    default void onAppended(TestRecord record, RecordMetadata position) {}
  }

  /**
   * Opens an idempotent producer.
   *
   * @param settings of the producer, in addition to those of the deployment
   * @param patience how long {@link #close} waits for unsent records
   */
  public RecordSender(
      JobConfig config, Map<String, String> settings, Duration patience, Listener listener) {
    this.topics = config.topics();
    this.patience = patience;
    this.listener = listener;
    Properties all = config.kafka();
    all.setProperty("acks", "all");
    all.setProperty("enable.idempotence", "true");
    all.putAll(settings);
    producer = new KafkaProducer<>(all, new ByteArraySerializer(), Frames.serializer(config));
  }

  /** Sends a record to the partition of a segment. {@link #check} reports a failure. */
  public void send(String keySegment, TestRecord record) {
    send(null, keySegment, record);
  }

  /** Sends a record to a partition that need not be its segment's. */
  public void send(int partition, TestRecord record) {
    send(Integer.valueOf(partition), String.valueOf(record.segment()), record);
  }

  private void send(@Nullable Integer partition, String keySegment, TestRecord record) {
    listener.onSend(record);
    String topic = topics.of(record.kind());
    byte[] key = keySegment.getBytes(StandardCharsets.UTF_8);
    var unused =
        producer.send(
            new ProducerRecord<>(topic, partition, key, record.value()),
            (metadata, problem) -> {
              if (problem == null) {
                listener.onAppended(record, metadata);
              } else {
                failure = problem;
              }
            });
  }

  /** Waits until the broker has acknowledged every record. */
  public void flush() {
    producer.flush();
    check();
  }

  /** Throws if a record could not be sent. */
  public void check() {
    if (failure != null) {
      throw new IllegalStateException("the broker did not accept a record", failure);
    }
  }

  /** Closes the producer; records in its buffer are still sent. */
  @Override
  public void close() {
    producer.close(patience);
  }
}
