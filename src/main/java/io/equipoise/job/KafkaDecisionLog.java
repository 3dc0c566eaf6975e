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
 * The decisions on Kafka. What a job of exactly-once delivery has left uncommitted is not read: it
 * is nobody's answer. Consumer and producer live only as long as an attempt begins; what asks for
 * ends afterwards is an admin client, whose answers are looked at when they are there.
 */
final class KafkaDecisionLog implements DecisionLog {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaDecisionLog.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Properties kafka;
  private final String topic;
  private final Admin admin;
  private final List<TopicPartition> partitions = new ArrayList<>();
  private final MarkedEnds ends;
  private @Nullable MarkerWatch watch;
  private @Nullable CompletableFuture<Answer> asked;

  /** Where all partitions ended, and where the watched one did when that was known. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Answer(long[] ends, long watchedEnd) {}

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
      ends = new MarkedEnds(array(consumer.beginningOffsets(partitions)));
    } catch (RuntimeException e) {
      admin.close();
      throw e;
    }
  }

  /** Returns what opens the decisions of a deployment. */
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
   * <p>Takes up the answer to the question of an earlier call, and asks again. A question that
   * fails leaves the offsets as they are: only more will be read. So does a broker that answers
   * with less than another did before.
   */
  @Override
  public long[] recentEnds() {
    if (asked != null && asked.isDone()) {
      try {
        Answer answer = asked.get();
        ends.answered(answer.ends(), answer.watchedEnd());
      } catch (ExecutionException e) {
        LOG.warn("The ends of {} are not known: {}", topic, String.valueOf(e.getCause()));
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

  /** Asks for all ends, and when they are known for the watched one's: see {@link MarkedEnds}. */
  private CompletionStage<Answer> ask() {
    TopicPartition watched = partitions.get(MARKED_FIRST);
    return latest(partitions)
        .thenCompose(
            all ->
                latest(List.of(watched))
                    .thenApply(later -> new Answer(array(all), later.get(watched))));
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
          consumer.assign(open); // keeps the positions of those that stay
        }
      }
    }
  }

  private static void warnOfWait(
      Consumer<byte[], byte[]> consumer, List<TopicPartition> open, long[] to, Duration waited) {
    for (TopicPartition at : open) {
      LOG.warn(
          "{} is read up to offset {} of {} since {} s: no record comes; probably a transaction is"
              + " open there, of a job of exactly-once delivery that was killed, until the brokers"
              + " abort it after its timeout (equipoise.max-outage of that job), or that runs"
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
   * <p>What is handed over was read meanwhile by a thread of its own, which the first call starts.
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
