package io.equipoise.audit.verify;

import io.equipoise.segment.state.SegmentSnapshot;
import java.util.Map;
import java.util.function.Predicate;

/** Where a replay begins: with nothing, or with the segments' states of a savepoint. */
public interface StartState {
  /** The beginning of a log that is whole. */
  StartState NOTHING = wanted -> Map.of();

  /**
   * Returns the states of the segments that a filter takes, by name; no one else holds them.
   *
   * @throws io.equipoise.audit.log.InconclusiveException if they cannot be read
   */
  Map<String, SegmentSnapshot> segments(Predicate<String> wanted);
}
