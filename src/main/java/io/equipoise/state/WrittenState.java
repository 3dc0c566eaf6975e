package io.equipoise.state;

import java.util.List;

/**
 * Stores which records one subtask had read and written at a checkpoint. A start compares it with
 * the topics. Immutable. {@code ends} and {@code unconfirmed} are empty with at-least-once
 * delivery.
 *
 * @param deployment that wrote the state
 * @param inputs the topics that it has read, which {@code read} refers to
 * @param read the offsets after the contexts and rewards that it has read
 * @param ends of the output topics before its unconfirmed records were written
 * @param unconfirmed the records whose transactions may not have been committed at the checkpoint
 */
public record WrittenState(
    String deployment,
    List<Topic> inputs,
    List<Offset> read,
    List<Offset> ends,
    List<SeqRange> unconfirmed) {
  public WrittenState {
    inputs = List.copyOf(inputs);
    read = List.copyOf(read);
    ends = List.copyOf(ends);
    unconfirmed = List.copyOf(unconfirmed);
  }

  /**
   * Identifies a topic by name and by Kafka's id, which a later topic of the same name does not
   * have.
   */
  public record Topic(String name, String id) {}

  /** Holds an offset of a partition. */
  public record Offset(String topic, int partition, long offset) {}

  /** Records of a segment by {@code seq}, both ends included. */
  public record SeqRange(String segment, long first, long last) {}
}
