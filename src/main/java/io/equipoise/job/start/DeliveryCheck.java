package io.equipoise.job.start;

import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses a start with exactly-once delivery if the decisions end with those of at-least-once
 * delivery: readers treat decisions without a writer epoch after them as void. This applies whether
 * the other job runs or has stopped, and with any savepoint.
 *
 * <p>A writer epoch of at-least-once delivery marks every partition before its first decision, so
 * the last records of any partition suffice. They are read uncommitted: an open transaction must
 * not hide records.
 */
public final class DeliveryCheck {
  /** Number of offsets read in each partition; commits use offsets too. */
  static final int TAIL = 100;

  private static final Logger LOG = LoggerFactory.getLogger(DeliveryCheck.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final Properties kafka;
  private final String topic;

  public DeliveryCheck(Properties kafka, String topic) {
    this.kafka = kafka;
    this.topic = topic;
  }

  /**
   * Reads the last records of each partition. Logs a warning if Read is not allowed, because
   * exactly-once delivery does not need it otherwise.
   *
   * @throws StartRefusedException if one is of at-least-once delivery
   */
  public void refuseOtherBefore() {
    try (Consumer<byte[], byte[]> consumer = Consumers.uncommitted(kafka, Map.of())) {
      readTails(consumer);
    } catch (AuthorizationException e) {
      LOG.warn(
          "Read on {} is not allowed. Decisions of at-least-once delivery, which make those of this"
              + " job void, would go unnoticed. Allow Read",
          topic);
    }
  }

  private void readTails(Consumer<byte[], byte[]> consumer) {
    List<TopicPartition> open = new ArrayList<>(Consumers.partitions(consumer, topic));
    consumer.assign(open);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(open);
    Map<TopicPartition, Long> ends = consumer.endOffsets(open);
    for (TopicPartition at : open) {
      consumer.seek(at, Math.max(begins.get(at), ends.get(at) - TAIL));
    }
    long begun = System.nanoTime();
    open.removeIf(at -> consumer.position(at) >= ends.get(at));
    while (!open.isEmpty()) {
      if (System.nanoTime() - begun > LONGEST.toNanos()) {
        LOG.warn("Not all of the last records of {} were read within {}", open, LONGEST);
        return;
      }
      consumer.poll(POLL).forEach(this::refuseOther);
      open.removeIf(at -> consumer.position(at) >= ends.get(at));
    }
  }

  private void refuseOther(ConsumerRecord<byte[], byte[]> record) {
    if (isOfWriterEpoch(record)) {
      throw new StartRefusedException(
          "The start is refused",
          List.of(
              "equipoise.delivery: is exactly-once, but %s has a writer-epoch marker or a decision of at-least-once delivery (partition %d, offset %d), and readers would treat later decisions of this job as void; set equipoise.delivery to at-least-once, or use another equipoise.deployment"
                  .formatted(topic, record.partition(), record.offset())));
    }
  }

  private static boolean isOfWriterEpoch(ConsumerRecord<byte[], byte[]> record) {
    byte[] value = record.value();
    try {
      return value == null
          ? WriterEpochMarker.isIn(value, record.headers())
          : Wire.DECISION.decode(value).writerEpoch() > 0;
    } catch (WireException e) {
      return false;
    }
  }
}
