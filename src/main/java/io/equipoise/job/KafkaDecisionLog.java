package io.equipoise.job;

import io.equipoise.event.WriterEpochMarker;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the decisions topic on Kafka and appends markers. Reads committed records only: decisions
 * in open transactions of exactly-once delivery were never published. Consumer and producer are
 * closed once a writer epoch has begun. Afterwards an admin client requests end offsets
 * asynchronously, and {@link MarkerWatch} reads markers in a thread of its own. The task thread
 * calls all methods.
 */
final class KafkaDecisionLog implements DecisionLog {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaDecisionLog.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Properties kafka;
  private final String topic;
  private final Admin admin;
  private final List<TopicPartition> partitions = new ArrayList<>();
  private final CheckpointableEnds ends;
  private @Nullable MarkerWatch watch;
  private @Nullable CompletableFuture<TopicEnds> asked;

  /** Pairs the end offsets of all partitions with the later end offset of the watched one. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record TopicEnds(long[] ends, long watchedEnd) {}

  /** Connects to the brokers of a deployment. */
  KafkaDecisionLog(Properties kafka, String topic) {
    this.kafka = kafka;
    this.topic = topic;
    Properties settings = new Properties();
    settings.putAll(kafka);
    settings.setProperty(CommonClientConfigs.CLIENT_ID_CONFIG, topic + "-ends");
    this.admin = Admin.create(settings);
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(kafka)) {
      partitions.addAll(Consumers.partitions(consumer, topic));
      ends = new CheckpointableEnds(array(consumer.beginningOffsets(partitions)));
    } catch (RuntimeException e) {
      admin.close();
      throw e;
    }
  }

  static Factory of(JobConfig config) {
    Properties kafka = config.kafka();
    String topic = config.topics().decisions();
    return () -> new KafkaDecisionLog(kafka, topic);
  }

  @Override
  public long[] begins() {
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(kafka)) {
      return array(consumer.beginningOffsets(partitions));
    }
  }

  @Override
  public long[] ends() {
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(kafka)) {
      return array(consumer.endOffsets(partitions));
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Uses the response to the previous call's request if it has arrived, and sends a new request.
   * A failed request leaves the offsets unchanged, so that a start reads more. A broker that
   * returns smaller offsets than another did is handled the same way.
   */
  @Override
  public long[] recentEnds() {
    if (asked != null && asked.isDone()) {
      try {
        TopicEnds answer = asked.get();
        ends.answered(answer.ends(), answer.watchedEnd());
      } catch (ExecutionException e) {
        LOG.warn("The end offsets of {} are unknown: {}", topic, String.valueOf(e.getCause()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      asked = null;
    }
    if (asked == null) {
      asked = ask().toCompletableFuture();
    }
    return ends.kept();
  }

  /**
   * Requests all end offsets, then that of the watched partition: see {@link CheckpointableEnds}.
   */
  private CompletionStage<TopicEnds> ask() {
    TopicPartition watched = partitions.get(MARKED_FIRST);
    return latest(partitions)
        .thenCompose(
            all ->
                latest(List.of(watched))
                    .thenApply(later -> new TopicEnds(array(all), later.get(watched))));
  }

  private CompletionStage<Map<TopicPartition, Long>> latest(List<TopicPartition> of) {
    Map<TopicPartition, OffsetSpec> question = new HashMap<>();
    of.forEach(partition -> question.put(partition, OffsetSpec.latest()));
    return admin
        .listOffsets(question)
        .all()
        .toCompletionStage()
        .thenApply(
            answer -> {
              Map<TopicPartition, Long> offsets = new HashMap<>();
              answer.forEach((at, info) -> offsets.put(at, info.offset()));
              return offsets;
            });
  }

  @Override
  public long[] append(WriterEpochMarker marker) {
    Properties settings = new Properties();
    settings.putAll(kafka);
    settings.setProperty(ProducerConfig.ACKS_CONFIG, "all");
    settings.setProperty(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    settings.setProperty(ProducerConfig.LINGER_MS_CONFIG, "0");
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (int partition = 0; partition < partitions.size(); partition++) {
        sent.add(
            producer.send(
                new ProducerRecord<>(topic, partition, null, null, null, marker.headers())));
        if (partition == MARKED_FIRST) {
          sent.get(partition).get();
        }
      }
      long[] offsets = new long[partitions.size()];
      for (int partition = 0; partition < offsets.length; partition++) {
        offsets[partition] = sent.get(partition).get().offset();
      }
      return offsets;
    } catch (ExecutionException e) {
      throw new IllegalStateException(marker + " was not appended to " + topic, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + marker + " was appended", e);
    }
  }

  @Override
  public void read(long[] from, long[] to, Reader reader) {
    List<TopicPartition> open = new ArrayList<>(partitions);
    open.removeIf(partition -> from[partition.partition()] >= to[partition.partition()]);
    if (open.isEmpty()) {
      return;
    }
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(kafka)) {
      consumer.assign(open);
      open.forEach(partition -> consumer.seek(partition, from[partition.partition()]));
      WaitNotice notice = new WaitNotice(System.nanoTime());
      while (!open.isEmpty()) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        if (!records.isEmpty()) {
          notice.restart(System.nanoTime());
        } else if (notice.isDue(System.nanoTime())) {
          warnOfWait(consumer, open, to, notice.waited(System.nanoTime()));
        }
        for (ConsumerRecord<byte[], byte[]> record : records) {
          if (record.offset() < to[record.partition()]) {
            reader.on(record.partition(), record.value(), record.headers());
          }
        }
        if (open.removeIf(at -> consumer.position(at) >= to[at.partition()])) {
          consumer.assign(open); // unchanged partitions keep their positions
        }
      }
    }
  }

  private static void warnOfWait(
      Consumer<byte[], byte[]> consumer, List<TopicPartition> open, long[] to, Duration waited) {
    for (TopicPartition at : open) {
      LOG.warn(
          "{} is read up to offset {} of {} since {} s and no record arrives. Probably a killed or"
              + " running exactly-once job has an open transaction there. The brokers abort it"
              + " after its timeout (equipoise.max-outage of that job)"
              + " still",
          at,
          consumer.position(at),
          to[at.partition()],
          waited.toSeconds());
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A thread reads the partition from the first call on.
   */
  @Override
  public void watch(long from, java.util.function.Consumer<WriterEpochMarker> reader) {
    if (watch == null) {
      watch = new MarkerWatch(kafka, partitions.get(MARKED_FIRST), from);
    }
    ends.watched(watch.handOver(reader));
  }

  private long[] array(Map<TopicPartition, Long> offsets) {
    return partitions.stream().mapToLong(offsets::get).toArray();
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
    admin.close(Duration.ZERO);
  }
}
