package io.equipoise.tools.adoption;

import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Finds which spec each active segment runs under, from the last segment events. */
public final class ActiveSegments {
  /** The number of offsets that are read before the end of each partition. */
  static final long LAST = 50_000;

  private static final Duration POLL = Duration.ofMillis(100);

  private ActiveSegments() {}

  /**
   * Returns the hash of the running spec by segment; segments without a recent event are absent.
   */
  public static Map<String, String> read(JobConfig config) {
    Map<String, String> hashes = new TreeMap<>();
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(config.kafka())) {
      List<TopicPartition> partitions =
          Consumers.existing(consumer, config.kafka(), List.of(config.topics().segmentEvents()));
      Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
      Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
      consumer.assign(partitions);
      ends.forEach(
          (at, end) -> consumer.seek(at, Math.max(begins.getOrDefault(at, 0L), end - LAST)));
      while (partitions.stream().anyMatch(at -> consumer.position(at) < ends.get(at))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          note(Wire.SEGMENT_EVENT.decode(record.value()), hashes);
        }
      }
    }
    return hashes;
  }

  private static void note(SegmentEvent event, Map<String, String> hashes) {
    if (event.type() == SegmentEventType.SEGMENT_PASSIVATED) {
      hashes.remove(event.segment());
    } else if (event.specHash() != null) {
      hashes.put(event.segment(), event.specHash());
    }
  }
}
