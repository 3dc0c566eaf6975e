package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Identifies the topic, partition and offset from which an input record was read.
 *
 * @param appendTime the record's timestamp in its topic, epoch ms, or {@link #NO_APPEND_TIME}
 * @param traceParent the {@link TraceParent} of a context; null without one
 */
public record Origin(
    String topic, int partition, long offset, long appendTime, @Nullable String traceParent) {
  /** Means that the record has no timestamp. */
  public static final long NO_APPEND_TIME = Long.MIN_VALUE;

  /** Names the place of a record that belongs to no trace. */
  public Origin(String topic, int partition, long offset, long appendTime) {
    this(topic, partition, offset, appendTime, null);
  }

  /** Returns the place without the timestamp. */
  public Source source() {
    return new Source(topic, partition, offset);
  }
}
