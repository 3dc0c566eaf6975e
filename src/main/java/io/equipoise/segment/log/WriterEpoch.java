package io.equipoise.segment.log;

import io.equipoise.event.Decision;
import java.util.function.ToIntFunction;

/**
 * Which attempt of the job it is that writes, and what it owes to those before.
 *
 * @param number carried by every record; from 1 where delivery is at-least-once, else 0
 * @param given what earlier attempts had answered
 * @param keyGroups returns the key group of a segment that decisions carry
 */
public record WriterEpoch(int number, RecoveredDecisions given, ToIntFunction<String> keyGroups) {
  /** Returns one that owes nothing and whose decisions carry no key group. */
  public static WriterEpoch numbered(int number) {
    return new WriterEpoch(number, RecoveredDecisions.NONE, segment -> Decision.NO_KEY_GROUP);
  }
}
