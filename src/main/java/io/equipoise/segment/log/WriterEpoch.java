package io.equipoise.segment.log;

import io.equipoise.event.Decision;
import java.util.function.ToIntFunction;

/**
 * Identifies the writer epoch of new records and gives access to the decisions of earlier epochs.
 *
 * @param number carried by every record; from 1 where delivery is at-least-once, else 0
 * @param given the recovered decisions of earlier writer epochs
 * @param keyGroups returns the key group of a segment that decisions carry
 */
public record WriterEpoch(int number, RecoveredDecisions given, ToIntFunction<String> keyGroups) {
  /** Returns a writer epoch without recovered decisions, whose decisions carry no key group. */
  public static WriterEpoch numbered(int number) {
    return new WriterEpoch(number, RecoveredDecisions.NONE, segment -> Decision.NO_KEY_GROUP);
  }
}
