package io.equipoise.state;

import java.util.List;

/**
 * What one subtask knows of its attempt at a checkpoint, where delivery is at-least-once.
 * Immutable.
 *
 * @param writerEpoch carried by the records that it writes
 * @param firstKeyGroup first of its key groups
 * @param lastKeyGroup last of its key groups
 * @param offsets for each partition of the decisions one that no record emitted after the
 *     checkpoint lies before
 * @param answers decisions of earlier attempts whose context has not come again, as their framed
 *     bytes, which are not copied
 */
public record WriterEpochState(
    int writerEpoch,
    int firstKeyGroup,
    int lastKeyGroup,
    List<Long> offsets,
    List<byte[]> answers) {
  public WriterEpochState {
    offsets = List.copyOf(offsets);
    answers = List.copyOf(answers);
  }
}
