package io.equipoise.audit.verify;

import io.equipoise.segment.state.SegmentSnapshot;
import java.util.Map;
import java.util.function.Predicate;

/** Provides the state at which a replay starts: empty, or the segments of a savepoint. */
public interface StartState {
  /** The start of a complete log. */
  StartState NOTHING = wanted -> Map.of();

  /**
   * Returns the states of the segments that a filter accepts, by name, as a new map.
   *
   * @throws io.equipoise.audit.log.InconclusiveException if they cannot be read
   */
  Map<String, SegmentSnapshot> segments(Predicate<String> wanted);
}
