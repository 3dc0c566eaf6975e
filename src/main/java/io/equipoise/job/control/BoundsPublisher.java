package io.equipoise.job.control;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.Wire;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.KafkaErrors;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.job.registry.Frames;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes sets of causal bounds on the causal-bounds topic, each set in one transaction: readers
 * see the whole set or nothing. Publishing an existing set changes nothing.
 */
public final class BoundsPublisher {
  private static final String TRANSACTIONS = "bounds-publisher";

  private final JobConfig config;
  private final Properties kafka;
  private final Topics topics;

  /** Creates a publisher for a deployment. */
  public BoundsPublisher(JobConfig config) {
    this.config = config;
    this.kafka = config.kafka();
    this.topics = config.topics();
  }

  /**
   * Publishes a set and waits until it is committed.
   *
   * @throws StartRefusedException if the topic has another set of the name under this version or a
   *     higher one, because running segments would never adopt this one, or if the write failed;
   *     then readers see nothing of the set
   */
  public void publish(CausalBoundSet set) {
    send(set, false);
  }

  private void requireNewer(CausalBoundSet set) {
    CausalBoundSet newest = newest(set.name());
    boolean isOutdated =
        newest != null && !newest.hash().equals(set.hash()) && newest.version() >= set.version();
    if (isOutdated) {
      throw refused(
          "%s: the topic %s has other rows under version %d; give your set a higher version"
              .formatted(set, topics.causalBounds(), newest.version()));
    }
  }

  private static StartRefusedException refused(String fault) {
    return new StartRefusedException("Causal bounds cannot be published", List.of(fault));
  }

  /** Retires a set: no segment adopts it from then on; segments that use it continue. */
  public void retire(CausalBoundSet set) {
    send(set, true);
  }

  /** Returns the set with the highest version of a name on the topic, if it is complete. */
  private @Nullable CausalBoundSet newest(String name) {
    BroadcastBoundsRegistry registry = new BroadcastBoundsRegistry();
    for (RawControl raw : CompactedTopic.read(kafka, topics.causalBounds())) {
      CausalBoundRecord.Content content = new CausalBoundRecord(raw).read();
      if (content instanceof CausalBoundRecord.BoundRow row) {
        registry.put(row.key(), row.bound());
      } else if (content instanceof CausalBoundRecord.Retirement retirement) {
        registry.retire(retirement.key());
      }
    }
    return registry.offered(name).stream().findFirst().orElse(null);
  }

  private void send(CausalBoundSet set, boolean isRetired) {
    Properties settings = new Properties();
    settings.putAll(kafka);
    settings.setProperty(ProducerConfig.ACKS_CONFIG, "all");
    settings.setProperty(
        ProducerConfig.TRANSACTIONAL_ID_CONFIG, topics.transactionalIdPrefix(TRANSACTIONS));
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), Frames.serializer(config))) {
      producer.initTransactions(); // waits until readers see what was committed before
      if (!isRetired) {
        requireNewer(set);
      }
      producer.beginTransaction();
      for (CausalBound row : set.rows()) {
        byte[] value = isRetired ? null : Wire.CAUSAL_BOUND.encode(row);
        // the commit throws the errors of the sends
        Future<RecordMetadata> unused =
            producer.send(
                new ProducerRecord<>(
                    topics.causalBounds(), 0, CausalBoundKey.of(row).bytes(), value));
      }
      producer.commitTransaction();
    } catch (KafkaException e) {
      throw refused(
          "%s: topic %s: %s"
              .formatted(set, topics.causalBounds(), KafkaErrors.of(config).explain(e)));
    }
  }
}
