package io.equipoise.job;

import io.equipoise.event.Origin;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.state.WrittenState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks which contexts and rewards a subtask has read, and the ids of their topics.
 *
 * <p>Checkpoints store {@code topics} and {@code read}; only {@code read} changes after the start.
 * {@code restored} and {@code removed} describe the restored state and stay valid for this run.
 *
 * <p>The sources apply restored offsets to whatever topic has the name. On another topic, or on one
 * that lost its end, they would skip records or read others again, without an error. So a start
 * compares its state with the topics.
 */
final class InputsRead {
  private static final Logger LOG = LoggerFactory.getLogger(InputsRead.class);
  private static final Comparator<TopicPartition> BY_PLACE =
      Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

  private final List<WrittenState.Topic> topics;
  private final Restored restored;
  private final Map<TopicPartition, Long> removed;

  /** By topic and partition the offset after the last input, or 0 if none was read. */
  private final Map<String, long[]> read = new HashMap<>();

  /**
   * Merges what the restored states of all subtasks have read.
   *
   * @param ids the topics, by name
   * @param offsets the offsets after the last inputs; a partition without one was not read
   * @param unfit partitions whose offsets do not fit the topics of this start
   */
  private record Restored(
      Map<String, String> ids, Map<TopicPartition, Long> offsets, Set<TopicPartition> unfit) {
    static Restored of(List<WrittenState> states) {
      Map<String, String> ids = new TreeMap<>();
      Map<TopicPartition, Long> offsets = new TreeMap<>(BY_PLACE);
      for (WrittenState state : states) {
        state.inputs().forEach(it -> ids.put(it.name(), it.id()));
        for (WrittenState.Offset it : state.read()) {
          offsets.merge(new TopicPartition(it.topic(), it.partition()), it.offset(), Math::max);
        }
      }
      return new Restored(ids, offsets, new HashSet<>());
    }

    long next(TopicPartition at) {
      return offsets.getOrDefault(at, 0L);
    }
  }

  private InputsRead(InputTopics inputs, Restored restored, Map<TopicPartition, Long> removed) {
    this.topics =
        new TreeMap<>(inputs.ids())
            .entrySet().stream()
                .map(it -> new WrittenState.Topic(it.getKey(), it.getValue()))
                .toList();
    this.restored = restored;
    this.removed = removed;
    restored
        .offsets()
        .forEach(
            (at, offset) -> {
              if (!restored.unfit().contains(at)) {
                readTo(at, offset);
              }
            });
    inputs.begins().forEach(this::readTo); // what is before them is never read
  }

  /**
   * Starts, after a restore or without state.
   *
   * @param states the restored states of all subtasks; empty without a restore
   * @param inputs the topics at this start
   * @param acceptsReplaced whether to continue although a topic does not fit the states. Their
   *     offsets of a topic that is another one, or of a partition that ends before them, are
   *     forgotten.
   * @throws StartRefusedException if a topic does not fit and this is not accepted, with all faults
   */
  static InputsRead begin(List<WrittenState> states, InputTopics inputs, boolean acceptsReplaced) {
    Restored restored = Restored.of(states);
    refuse(faults(restored, inputs), acceptsReplaced);
    TreeMap<TopicPartition, Long> removed = new TreeMap<>(BY_PLACE);
    inputs
        .begins()
        .forEach(
            (at, begin) -> {
              boolean isKnown = restored.ids().containsKey(at.topic());
              if (isKnown && !restored.unfit().contains(at) && begin > restored.next(at)) {
                removed.put(at, begin - restored.next(at));
              }
            });
    return new InputsRead(inputs, restored, removed);
  }

  /**
   * Returns the differences between state and topics, and adds their partitions to the unfit ones.
   */
  private static List<String> faults(Restored restored, InputTopics inputs) {
    List<String> faults = new ArrayList<>();
    restored
        .ids()
        .forEach(
            (topic, id) -> {
              String found = inputs.ids().get(topic);
              if (!id.equals(found)) {
                faults.add(
                    "%s is not the topic that the state has read: its id is %s and the state has %s; it was deleted and created again, or it is a mirror"
                        .formatted(topic, found, id));
                Stream.concat(inputs.ends().keySet().stream(), restored.offsets().keySet().stream())
                    .filter(at -> at.topic().equals(topic))
                    .forEach(restored.unfit()::add);
              }
            });
    restored
        .offsets()
        .forEach(
            (at, next) -> {
              long end = inputs.ends().getOrDefault(at, Long.MAX_VALUE);
              if (next > end && restored.unfit().add(at)) {
                faults.add(
                    "%s, partition %d, ends at offset %d, and the state has read to %d; the brokers lost its last records"
                        .formatted(at.topic(), at.partition(), end, next));
              }
            });
    return faults;
  }

  private static void refuse(List<String> faults, boolean acceptsReplaced) {
    if (acceptsReplaced) {
      faults.forEach(it -> LOG.warn("{} is set: {}", JobOptions.ALLOW_REPLACED_INPUTS.key(), it));
    } else if (!faults.isEmpty()) {
      faults.replaceAll(
          it ->
              "%s; the sources would apply the state's offsets to it, so that records are never answered or are read again; start from a state of this topic, or set %s to true for one start to accept that"
                  .formatted(it, JobOptions.ALLOW_REPLACED_INPUTS.key()));
      throw new StartRefusedException("The start is refused", faults);
    }
  }

  /** Returns whether the restored state has not read an input; false if that is unknown. */
  boolean wasUnread(String topic, int partition, long offset) {
    TopicPartition at = new TopicPartition(topic, partition);
    return !restored.unfit().contains(at) && offset >= restored.next(at);
  }

  /** Returns whether retention has removed an input before the restored state had read it. */
  boolean wasRemoved(String topic, int partition, long offset) {
    TopicPartition at = new TopicPartition(topic, partition);
    Long count = removed.get(at);
    return count != null
        && wasUnread(topic, partition, offset)
        && offset < restored.next(at) + count;
  }

  /**
   * Names in a WARN what retention has removed before the state had read it. Offsets of transaction
   * markers and of invalid records at a partition's end count too: the state does not know them.
   *
   * @return number of offsets
   */
  long warnOfRemoved() {
    removed.forEach(
        (at, count) ->
            LOG.warn(
                "Retention has removed records of {}, partition {}, that this deployment has not"
                    + " read: up to {}, before offset {}. They are not learned, and have no decision"
                    + " unless it was published before the state was lost. Raise retention.ms above"
                    + " the longest outage",
                at.topic(),
                at.partition(),
                count,
                read.getOrDefault(at.topic(), new long[0])[at.partition()]));
    return removed.values().stream().mapToLong(Long::longValue).sum();
  }

  void read(Origin origin) {
    readTo(origin.topic(), origin.partition(), origin.offset() + 1);
  }

  private void readTo(TopicPartition at, long offset) {
    readTo(at.topic(), at.partition(), offset);
  }

  private void readTo(String topic, int partition, long offset) {
    long[] offsets = read.get(topic);
    if (offsets == null || offsets.length <= partition) {
      offsets = Arrays.copyOf(offsets == null ? new long[0] : offsets, partition + 1);
      read.put(topic, offsets);
    }
    offsets[partition] = Math.max(offsets[partition], offset);
  }

  List<WrittenState.Topic> topics() {
    return topics;
  }

  List<WrittenState.Offset> offsets() {
    List<WrittenState.Offset> offsets = new ArrayList<>();
    new TreeMap<>(read)
        .forEach(
            (topic, ends) -> {
              for (int partition = 0; partition < ends.length; partition++) {
                if (ends[partition] > 0) {
                  offsets.add(new WrittenState.Offset(topic, partition, ends[partition]));
                }
              }
            });
    return offsets;
  }
}
