package io.equipoise.audit.log;

import io.equipoise.job.JobConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.KafkaException;

/** The topics of a deployment on a Kafka cluster, between offsets that were fixed at the start. */
public final class KafkaLog implements CommittedLog {
  private final Properties kafka;
  private final Duration patience;
  private final Map<LogTopic, List<Slice>> slices = new EnumMap<>(LogTopic.class);

  private KafkaLog(Properties kafka, Duration patience, List<Slice> all) {
    this.kafka = kafka;
    this.patience = patience;
    for (LogTopic topic : LogTopic.values()) {
      slices.put(topic, all.stream().filter(slice -> slice.topic() == topic).toList());
    }
  }

  /**
   * Fixes what is read: up to what is committed now.
   *
   * @param cuts offsets to judge up to, by topic/partition; none goes beyond what is committed
   * @param patience how long to wait for open transactions, and for brokers that send nothing
   * @throws CannotJudgeException if brokers or topics are not there, or transactions stay open
   */
  public static KafkaLog open(JobConfig config, Map<String, Long> cuts, Duration patience)
      throws InterruptedException {
    Map<String, LogTopic> topics = new HashMap<>();
    for (LogTopic topic : LogTopic.values()) {
      topics.put(topic.in(config.topics()), topic);
    }
    List<Slice> all;
    try {
      all = new Bounds(config.kafka(), patience).slices(topics);
    } catch (KafkaException e) {
      throw new CannotJudgeException(
          "the brokers at kafka.bootstrap.servers do not tell where the topics end: "
              + e.getMessage(),
          e);
    }
    return new KafkaLog(config.kafka(), patience, cut(all, new HashMap<>(cuts)));
  }

  private static List<Slice> cut(List<Slice> all, Map<String, Long> cuts) {
    List<Slice> cut = new ArrayList<>();
    for (Slice slice : all) {
      Long to = cuts.remove(slice.name() + "/" + slice.partition());
      long horizon = to == null ? slice.horizon() : Math.min(to, slice.horizon());
      cut.add(
          new Slice(
              slice.topic(),
              slice.name(),
              slice.partition(),
              slice.begin(),
              horizon,
              slice.reach()));
    }
    if (!cuts.isEmpty()) {
      throw new CannotJudgeException(
          "--to names no partition of this deployment: " + cuts.keySet());
    }
    return cut;
  }

  @Override
  public List<Slice> slices(LogTopic topic) {
    return slices.getOrDefault(topic, List.of());
  }

  @Override
  public LogReader read(List<Slice> wanted) {
    return new KafkaReader(Consumers.open(kafka, Consumers.COMMITTED), wanted, patience);
  }
}
