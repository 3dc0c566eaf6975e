package io.equipoise.state;

import java.util.List;

/**
 * Stores one subtask's writer epoch at a checkpoint, with at-least-once delivery. Immutable.
 *
 * @param writerEpoch of the records that it writes
 * @param firstKeyGroup first of its key groups
 * @param lastKeyGroup last of its key groups
 * @param offsets for each partition of the decisions topic, a lower bound of the offsets of records
 *     emitted after the checkpoint
 * @param answers decisions of earlier writer epochs whose context has not been read again, as
 *     framed bytes, which are not copied
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
