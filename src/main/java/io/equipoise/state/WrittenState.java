package io.equipoise.state;

import java.util.List;

/**
 * What one subtask has read and written at a checkpoint, so that a start can compare it with the
 * topics. Immutable. The lists are empty where delivery is at-least-once.
 *
 * @param deployment that wrote the state
 * @param read the offsets behind the contexts and rewards that it has read
 * @param ends of the output topics before its unconfirmed records were written
 * @param unconfirmed the records whose transactions may not have been committed at the checkpoint
 */
public record WrittenState(
    String deployment, List<Offset> read, List<Offset> ends, List<Range> unconfirmed) {
  public WrittenState {
    read = List.copyOf(read);
    ends = List.copyOf(ends);
    unconfirmed = List.copyOf(unconfirmed);
  }

  /** A place in a topic. */
  public record Offset(String topic, int partition, long offset) {}

  /** Records of a segment by their {@code seq}, both ends included. */
  public record Range(String segment, long first, long last) {}
}
