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
 * Refuses to start with exactly-once delivery where the decisions end in those of the other one:
 * readers take every decision without an attempt behind them for void. That holds beside a job that
 * lives as well as behind one that was stopped, and whatever savepoint is started from.
 *
 * <p>An attempt of at-least-once delivery marks every partition before its first decision, so that
 * the last records of any partition tell. They are read uncommitted: an open transaction must hide
 * nothing.
 */
public final class DeliveryCheck {
  /** Offsets that are looked at in each partition; commits take offsets too. */
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
   * Looks at the last records of each partition; warns where they may not be read, which
   * exactly-once delivery does not need otherwise.
   *
   * @throws StartRefusedException if one is of at-least-once delivery
   */
  public void refuseOtherBefore() {
    try (Consumer<byte[], byte[]> consumer = Consumers.uncommitted(kafka, Map.of())) {
      readTails(consumer);
    } catch (AuthorizationException e) {
      LOG.warn(
          "Read on {} is not allowed, so that decisions of at-least-once delivery, behind which"
              + " those of this job are void, would not be seen",
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
        LOG.warn("The last records of {} were not all read within {}", open, LONGEST);
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
              "equipoise.delivery: is exactly-once, and %s holds answers of at-least-once delivery (partition %d, offset %d), behind which readers take those of this job for void; set equipoise.delivery to at-least-once, or give this job another equipoise.deployment"
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
