package io.equipoise.audit.log;

import io.equipoise.event.LogTopic;
import io.equipoise.event.WriterSchemas;
import io.equipoise.job.options.InputSkip;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.registry.Frames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the topics of a deployment on a Kafka cluster, between offsets that {@link #open} fixes.
 * Immutable; every {@link #read} has its own consumer.
 */
public final class KafkaLog implements CommittedLog {
  private final Properties kafka;
  private final Duration timeout;
  private final Set<String> chosenEnds;
  private final List<InputSkip> skips;
  private final WriterSchemas writers;
  private final Map<LogTopic, List<OffsetRange>> slices = new EnumMap<>(LogTopic.class);

  private KafkaLog(
      Properties kafka,
      Duration timeout,
      List<OffsetRange> all,
      Set<String> chosenEnds,
      List<InputSkip> skips) {
    this.kafka = kafka;
    this.timeout = timeout;
    this.chosenEnds = Set.copyOf(chosenEnds);
    this.skips = skips;
    this.writers = Frames.schemas(kafka, timeout, InconclusiveException::new);
    for (LogTopic topic : LogTopic.values()) {
      slices.put(topic, all.stream().filter(offsetRange -> offsetRange.topic() == topic).toList());
    }
  }

  /**
   * Opens the log up to the offsets that are committed now.
   *
   * @param cuts exclusive ends of the check by topic/partition; limited to committed offsets
   * @param timeout how long to wait for open transactions, and for brokers that send nothing
   * @throws InconclusiveException if brokers or topics are missing, or transactions stay open
   */
  public static KafkaLog open(JobConfig config, Map<String, Long> cuts, Duration timeout)
      throws InterruptedException {
    Map<String, LogTopic> topics = new HashMap<>();
    for (LogTopic topic : LogTopic.values()) {
      topics.put(config.topics().of(topic), topic);
    }
    return open(config.kafka(), topics, cuts, timeout, config.inputSkips());
  }

  /**
   * Opens some topics only; the log has no ranges of the others.
   *
   * @param topics the kinds of the topics, by name
   */
  public static KafkaLog open(
      Properties kafka, Map<String, LogTopic> topics, Map<String, Long> cuts, Duration timeout)
      throws InterruptedException {
    return open(kafka, topics, cuts, timeout, List.of());
  }

  private static KafkaLog open(
      Properties kafka,
      Map<String, LogTopic> topics,
      Map<String, Long> cuts,
      Duration timeout,
      List<InputSkip> skips)
      throws InterruptedException {
    List<OffsetRange> all;
    try {
      all = new Bounds(kafka, timeout).slices(topics);
    } catch (StartRefusedException e) {
      throw new InconclusiveException(String.join("; ", e.faults()), e);
    } catch (KafkaException e) {
      throw withoutEnds(e);
    }
    return new KafkaLog(kafka, timeout, cut(all, new HashMap<>(cuts)), cuts.keySet(), skips);
  }

  private static InconclusiveException withoutEnds(KafkaException e) {
    return new InconclusiveException("the brokers do not return the ends of the topics", e);
  }

  private static List<OffsetRange> cut(List<OffsetRange> all, Map<String, Long> cuts) {
    List<OffsetRange> cut = new ArrayList<>();
    for (OffsetRange offsetRange : all) {
      Long to = cuts.remove(name(offsetRange));
      long horizon = to == null ? offsetRange.horizon() : Math.min(to, offsetRange.horizon());
      cut.add(
          new OffsetRange(
              offsetRange.topic(),
              offsetRange.name(),
              offsetRange.partition(),
              offsetRange.begin(),
              horizon,
              offsetRange.reach()));
    }
    if (!cuts.isEmpty()) {
      throw new InconclusiveException(
          "--to names partitions that this deployment does not have: " + cuts.keySet());
    }
    return cut;
  }

  @Override
  public List<OffsetRange> slices(LogTopic topic) {
    return slices.getOrDefault(topic, List.of());
  }

  @Override
  public LogReader read(List<OffsetRange> wanted) {
    List<InputSkip> met =
        skips.stream()
            .filter(skip -> wanted.stream().anyMatch(offsetRange -> meets(offsetRange, skip)))
            .toList();
    Properties settings = new Properties();
    settings.putAll(kafka);
    if (!met.isEmpty()) {
      settings.setProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, InputSkip.ONE_RECORD_A_POLL);
    }
    return new KafkaReader(LogConsumers.committed(settings), wanted, timeout, met);
  }

  private static boolean meets(OffsetRange offsetRange, InputSkip skip) {
    return offsetRange.name().equals(skip.topic())
        && offsetRange.partition() == skip.partition()
        && offsetRange.begin() <= skip.last()
        && skip.first() < offsetRange.reach();
  }

  @Override
  public WriterSchemas writers() {
    return writers;
  }

  @Override
  public Map<OffsetRange, Long> endsNow(List<OffsetRange> wanted) {
    Map<TopicPartition, OffsetRange> asked = new HashMap<>();
    for (OffsetRange offsetRange : wanted) {
      if (!chosenEnds.contains(name(offsetRange))) {
        asked.put(new TopicPartition(offsetRange.name(), offsetRange.partition()), offsetRange);
      }
    }
    Map<OffsetRange, Long> ends = new HashMap<>();
    try (Consumer<byte[], byte[]> committed = LogConsumers.committed(kafka)) {
      committed.endOffsets(asked.keySet()).forEach((at, end) -> ends.put(asked.get(at), end));
    } catch (KafkaException e) {
      throw withoutEnds(e);
    }
    return ends;
  }

  private static String name(OffsetRange offsetRange) {
    return offsetRange.name() + "/" + offsetRange.partition();
  }
}
