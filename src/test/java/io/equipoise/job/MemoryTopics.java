package io.equipoise.job;

import io.equipoise.event.LogTopic;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Emission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/** Decisions and segment events in lists, with one partition each. */
final class MemoryTopics implements SequencedTopics {
  private final TopicPartition decisions;
  private final TopicPartition segmentEvents;
  private final Map<TopicPartition, List<byte[]>> records = new HashMap<>();
  private final Map<TopicPartition, Long> begins = new HashMap<>();
  private Map<TopicPartition, Long> recent;

  MemoryTopics(Topics topics) {
    decisions = new TopicPartition(topics.decisions(), 0);
    segmentEvents = new TopicPartition(topics.segmentEvents(), 0);
    records.put(decisions, new ArrayList<>());
    records.put(segmentEvents, new ArrayList<>());
    recent = ends();
  }

  /** Commits what an operator has emitted to them. */
  void commit(List<Emission> emitted) {
    for (Emission emission : emitted) {
      if (emission.output() == LogTopic.DECISIONS) {
        records.get(decisions).add(emission.value());
      } else if (emission.output() == LogTopic.SEGMENT_EVENTS) {
        records.get(segmentEvents).add(emission.value());
      }
    }
  }

  /** Nobody else writes to them. */
  @Override
  public void own() {}

  @Override
  public void checkOwner() {}

  @Override
  public Map<TopicPartition, Long> ends() {
    Map<TopicPartition, Long> ends = new HashMap<>();
    records.forEach((at, list) -> ends.put(at, (long) list.size()));
    return ends;
  }

  /** Removes all records, as retention does. */
  void remove() {
    records.forEach((at, list) -> begins.put(at, (long) list.size()));
  }

  @Override
  public Map<TopicPartition, Long> begins() {
    return begins;
  }

  @Override
  public Map<TopicPartition, Long> recentEnds() {
    Map<TopicPartition, Long> before = recent;
    recent = ends();
    return before;
  }

  @Override
  public void read(Map<TopicPartition, Long> from, Reader reader, BooleanSupplier isEnough) {
    records.forEach(
        (at, list) -> {
          long begin = Math.max(from.getOrDefault(at, 0L), begins.getOrDefault(at, 0L));
          for (long offset = begin; offset < list.size(); offset++) {
            reader.on(at, offset, list.get((int) offset));
          }
        });
  }

  @Override
  public void close() {}
}
