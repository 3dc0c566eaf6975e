package io.equipoise.audit.verify;

import io.equipoise.join.SavedSegment;
import java.util.Map;
import java.util.function.Predicate;

/** Where a replay begins: with nothing, or with the segments' states of a savepoint. */
public interface Beginning {
  /** The beginning of a log that is whole. */
  Beginning NOTHING = wanted -> Map.of();

  /**
   * Returns the states of the segments that a filter takes, by name; no one else holds them.
   *
   * @throws io.equipoise.audit.log.CannotJudgeException if they cannot be read
   */
  Map<String, SavedSegment> segments(Predicate<String> wanted);
}
