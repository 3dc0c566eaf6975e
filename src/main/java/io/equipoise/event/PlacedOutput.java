package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/** Marks an output that has a place in its segment's log. */
public sealed interface PlacedOutput extends SegmentOutput
    permits Decision, SegmentEvent, Explanation, SegmentMetrics {
  /** Returns segment, writer epoch and seq. */
  Place place();

  /** Returns the spec, causal bounds and model that were active. */
  Versions versions();

  /** Returns the id of its decision, null if it belongs to none. */
  default @Nullable String decisionId() {
    return null;
  }

  default String segment() {
    return place().segment();
  }

  /** Returns the writer epoch of the job that wrote it. */
  default int writerEpoch() {
    return place().writerEpoch();
  }

  /** Returns the seq of the change that it is, explains or follows. */
  default long seq() {
    return place().seq();
  }

  /** Returns the hash of the spec in force, null if there was none. */
  default @Nullable String specHash() {
    return versions().specHash();
  }

  /** Returns the version of the spec in force, null if there was none. */
  default @Nullable Long specVersion() {
    return versions().specVersion();
  }
}
