package io.equipoise.console.report;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Reads the part of a log that begins with the records of a time. It ends where the log ends. */
final class PeriodLog implements CommittedLog {
  private final CommittedLog whole;
  private final JobConfig config;
  private final long from;
  private final Map<LogTopic, List<OffsetRange>> slices = new ConcurrentHashMap<>();

  /**
   * Limits a log.
   *
   * @param from epoch ms
   */
  PeriodLog(CommittedLog whole, JobConfig config, long from) {
    this.whole = whole;
    this.config = config;
    this.from = from;
  }

  @Override
  public List<OffsetRange> slices(LogTopic topic) {
    return slices.computeIfAbsent(topic, this::find);
  }

  private List<OffsetRange> find(LogTopic topic) {
    List<OffsetRange> all = whole.slices(topic);
    Map<TopicPartition, Long> times = new HashMap<>();
    all.forEach(range -> times.put(new TopicPartition(range.name(), range.partition()), from));
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(config.kafka())) {
      Map<TopicPartition, OffsetAndTimestamp> begins = consumer.offsetsForTimes(times);
      List<OffsetRange> found = new ArrayList<>();
      for (OffsetRange range : all) {
        OffsetAndTimestamp begin = begins.get(new TopicPartition(range.name(), range.partition()));
        long first = begin == null ? range.reach() : begin.offset();
        found.add(range.between(first, range.reach()));
      }
      return found;
    } catch (KafkaException e) {
      throw new InconclusiveException("the brokers do not find the beginning of the period", e);
    }
  }

  @Override
  public LogReader read(List<OffsetRange> wanted) {
    return whole.read(wanted);
  }

  @Override
  public Map<OffsetRange, Long> endsNow(List<OffsetRange> wanted) {
    return whole.endsNow(wanted);
  }
}
