package io.equipoise.job.start;

import io.equipoise.event.Decision;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.job.options.AdminCall;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses a start without state if the deployment has a history: the models cannot be recovered
 * afterwards, and {@code seq} cannot be repaired. A job that failed before its first complete
 * checkpoint may begin again; a job that fails later restores the checkpoint.
 *
 * <p>With exactly-once delivery, any committed record is a history, because records are committed
 * only after a complete checkpoint. Aborted transactions leave offsets but no records, so the check
 * reads records up to the committed ends. If reading is not allowed, it logs a warning; the job
 * does not need that permission otherwise.
 *
 * <p>With at-least-once delivery, a job writes before its first checkpoint. If it fails then, it
 * reads the contexts of its decisions again and repeats the decisions. It cannot if the consumer
 * group has committed offsets after those contexts, which Flink does when a checkpoint completes:
 * such a decision is a history. Flink does not retry those commits, so decisions shortly before the
 * end of the job may go unnoticed.
 */
final class HistoryCheck implements EmptyStateCheck {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(HistoryCheck.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Properties kafka;
  private final Topics topics;
  private final Delivery delivery;

  HistoryCheck(Properties kafka, Topics topics, Delivery delivery) {
    this.kafka = kafka;
    this.topics = topics;
    this.delivery = delivery;
  }

  @Override
  public void refuseForgetting() {
    if (delivery == Delivery.EXACTLY_ONCE) {
      refuse(topics.decisions(), record -> true);
      refuse(topics.segmentEvents(), record -> true);
      return;
    }
    Map<Integer, Long> taken = takenContexts();
    if (!taken.isEmpty()) {
      refuse(topics.decisions(), record -> isOfTaken(record.value(), taken));
    }
  }

  /** Returns the offsets from which contexts will be read, by partition, if any are committed. */
  private Map<Integer, Long> takenContexts() {
    String group = topics.consumerGroup();
    Map<Integer, Long> taken = new HashMap<>();
    try (Admin admin = Admin.create(kafka)) {
      Map<TopicPartition, OffsetAndMetadata> committed =
          AdminCall.of(
              admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(),
              "requesting the offsets of group " + group);
      committed.forEach(
          (at, offset) -> {
            if (at.topic().equals(topics.contexts()) && offset != null) {
              taken.put(at.partition(), offset.offset());
            }
          });
    }
    return taken;
  }

  private static boolean isOfTaken(byte @Nullable [] value, Map<Integer, Long> taken) {
    if (value == null) {
      return false;
    }
    try {
      Decision decision = Wire.DECISION.decode(value);
      return decision.source().offset() < taken.getOrDefault(decision.source().partition(), 0L);
    } catch (WireException e) {
      return false; // the reader of the decisions logs a warning
    }
  }

  private void refuse(String topic, Predicate<ConsumerRecord<byte[], byte[]>> isPast) {
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(kafka)) {
      List<TopicPartition> open =
          new ArrayList<>(
              consumer.partitionsFor(topic).stream()
                  .map(info -> new TopicPartition(topic, info.partition()))
                  .toList());
      consumer.assign(open);
      consumer.seekToBeginning(open);
      Map<TopicPartition, Long> ends = consumer.endOffsets(open);
      open.removeIf(at -> consumer.position(at) >= ends.get(at));
      while (!open.isEmpty()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (isPast.test(record)) {
            throw refused(record);
          }
        }
        open.removeIf(at -> consumer.position(at) >= ends.get(at));
      }
    } catch (AuthorizationException e) {
      LOG.warn(
          "Read on {} is not allowed. A history of {}, which this start without savepoint or"
              + " checkpoint would lose, would go unnoticed. Allow Read",
          topic,
          topics.deployment());
    }
  }

  private StartRefusedException refused(ConsumerRecord<byte[], byte[]> found) {
    return new StartRefusedException(
        "The start is refused",
        List.of(
            "deployment %s has a history (%s, partition %d, offset %d) and this start has no savepoint or checkpoint: its models and pending decisions would be lost and seq would begin at 1 again; start from the last savepoint or checkpoint (equipoise run --from, flink run -s), or use another equipoise.deployment, or set equipoise.allow-empty-state to true to discard the state on purpose"
                .formatted(topics.deployment(), found.topic(), found.partition(), found.offset())));
  }
}
