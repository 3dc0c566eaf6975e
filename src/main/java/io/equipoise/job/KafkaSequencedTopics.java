package io.equipoise.job;

import io.equipoise.job.options.AdminCall;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads decisions and segment events on Kafka. A consumer exists only while it reads; an admin
 * client requests end offsets asynchronously. The recent ends are those of the last reply and may
 * be older than the topics. The task thread calls all methods.
 */
final class KafkaSequencedTopics implements SequencedTopics {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSequencedTopics.class);
  private static final Duration POLL = Duration.ofMillis(20);

  /** Longer than the other subtasks of a start need to commit and abort restored transactions. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private final Properties kafka;
  private final Admin admin;
  private final Owner owner;
  private final Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
  private Map<TopicPartition, Long> recent = Map.of();
  private @Nullable CompletableFuture<Map<TopicPartition, Long>> asked;

  KafkaSequencedTopics(Properties kafka, Topics topics, int mark) {
    this.kafka = kafka;
    Properties settings = new Properties();
    settings.putAll(kafka);
    settings.setProperty(CommonClientConfigs.CLIENT_ID_CONFIG, topics.decisions() + "-ends");
    this.admin = Admin.create(settings);
    this.owner = new Owner(admin, kafka, topics, mark);
    List<String> names = List.of(topics.decisions(), topics.segmentEvents());
    try {
      AdminCall.of(admin.describeTopics(names).allTopicNames(), "describing " + names)
          .forEach(
              (name, topic) ->
                  topic
                      .partitions()
                      .forEach(
                          it ->
                              partitions.put(
                                  new TopicPartition(name, it.partition()), OffsetSpec.latest())));
    } catch (RuntimeException e) {
      admin.close(Duration.ZERO);
      throw e;
    }
  }

  /** Returns a factory for the topics of a deployment and the ownership of one job. */
  static Factory of(JobConfig config) {
    Properties kafka = config.kafka();
    Topics topics = config.topics();
    int mark = Owner.drawMark(config);
    return () -> new KafkaSequencedTopics(kafka, topics, mark);
  }

  @Override
  public void own() {
    owner.take();
  }

  @Override
  public void checkOwner() {
    owner.check();
  }

  @Override
  public Map<TopicPartition, Long> ends() {
    recent = offsets(AdminCall.of(ask(), "requesting the ends of decisions and segment events"));
    return recent;
  }

  @Override
  public Map<TopicPartition, Long> begins() {
    Map<TopicPartition, OffsetSpec> earliest = new HashMap<>(partitions);
    earliest.replaceAll((at, latest) -> OffsetSpec.earliest());
    return offsets(
        AdminCall.of(
            admin.listOffsets(earliest).all(),
            "requesting the beginnings of decisions and segment events"));
  }

  private KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> ask() {
    return admin.listOffsets(partitions).all();
  }

  private static Map<TopicPartition, Long> offsets(Map<TopicPartition, ListOffsetsResultInfo> of) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    of.forEach((at, info) -> offsets.put(at, info.offset()));
    return offsets;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Uses the response to the previous call's request if it has arrived, and sends a new request.
   * A failed request leaves the ends unchanged, so that a start reads more.
   */
  @Override
  public Map<TopicPartition, Long> recentEnds() {
    if (asked != null && asked.isDone()) {
      try {
        recent = asked.get();
      } catch (ExecutionException e) {
        LOG.warn(
            "The end offsets of decisions and segment events are unknown: {}",
            String.valueOf(e.getCause()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      asked = null;
    }
    if (asked == null) {
      asked =
          ask().toCompletionStage().thenApply(KafkaSequencedTopics::offsets).toCompletableFuture();
    }
    return recent;
  }

  @Override
  public void read(Map<TopicPartition, Long> from, Reader reader, BooleanSupplier isEnough) {
    Map<TopicPartition, Long> ends = ends();
    List<TopicPartition> all = new ArrayList<>(partitions.keySet());
    long begun = System.nanoTime();
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(kafka)) {
      consumer.assign(all);
      consumer.seekToBeginning(all.stream().filter(at -> !from.containsKey(at)).toList());
      from.forEach(
          (at, offset) -> {
            if (partitions.containsKey(at)) {
              consumer.seek(at, offset);
            }
          });
      Map<TopicPartition, Long> visible = consumer.endOffsets(all);
      while (!hasRead(consumer, isEnough.getAsBoolean() ? visible : ends)) {
        if (System.nanoTime() - begun > LONGEST_WAIT.toNanos()) {
          LOG.warn(
              "Decisions and segment events were not read to their ends within {}", LONGEST_WAIT);
          return;
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (record.value() != null) {
            reader.on(
                new TopicPartition(record.topic(), record.partition()),
                record.offset(),
                record.value());
          }
        }
      }
    }
  }

  private static boolean hasRead(
      Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream().allMatch(it -> consumer.position(it.getKey()) >= it.getValue());
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
