package io.equipoise.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses to begin without state where a deployment's log has records: nothing afterwards brings
 * the models back or mends {@code seq}.
 *
 * <p>With exactly-once delivery records are committed only after a checkpoint is complete. So a job
 * that fails before its first one has left no record, and is free to begin again; one that fails
 * later restores it. Aborted transactions leave offsets and no record, hence the first record is
 * read, up to the committed ends. Where that is not allowed, which the job does not need otherwise,
 * it is warned of.
 */
final class HistoryCheck implements Beginning {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(HistoryCheck.class);
  private static final Duration POLL = Duration.ofMillis(100);

  /** One record is enough. */
  private static final Map<String, String> ONE =
      Map.of(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "1");

  private final Properties kafka;
  private final Topics topics;

  HistoryCheck(Properties kafka, Topics topics) {
    this.kafka = kafka;
    this.topics = topics;
  }

  @Override
  public void refuseForgetting() {
    for (String topic : List.of(topics.decisions(), topics.outcomes())) {
      try (Consumer<byte[], byte[]> consumer = Consumers.committed(kafka, ONE)) {
        Optional<ConsumerRecord<byte[], byte[]>> first = first(consumer, topic);
        if (first.isPresent()) {
          throw refused(first.get());
        }
      } catch (AuthorizationException e) {
        LOG.warn(
            "Read on {} is not allowed, so that a past of {} which this start without savepoint or"
                + " checkpoint forgets would not be seen",
            topic,
            topics.deployment());
      }
    }
  }

  private static Optional<ConsumerRecord<byte[], byte[]>> first(
      Consumer<byte[], byte[]> consumer, String topic) {
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
        return Optional.of(record);
      }
      open.removeIf(at -> consumer.position(at) >= ends.get(at));
    }
    return Optional.empty();
  }

  private StartRefusedException refused(ConsumerRecord<byte[], byte[]> found) {
    return new StartRefusedException(
        "The start is refused",
        List.of(
            "deployment %s has a past (%s, partition %d, offset %d) and this start has no savepoint or checkpoint: its models and awaiting decisions would be lost and seq begin at 1 again; start from the last savepoint or checkpoint (equipoise run --from, flink run -s), or give this job another equipoise.deployment, or set equipoise.begin-anew to true to lose them knowingly"
                .formatted(topics.deployment(), found.topic(), found.partition(), found.offset())));
  }
}
