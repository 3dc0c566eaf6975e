package io.equipoise.event;

/**
 * The place from which an input record was read.
 *
 * @param appendTime the record's timestamp in its topic, epoch ms, or {@link #NO_APPEND_TIME}
 */
public record Origin(String topic, int partition, long offset, long appendTime) {
  /** Means that the record has no timestamp. */
  public static final long NO_APPEND_TIME = Long.MIN_VALUE;

  /** Returns the place without the timestamp. */
  public Source source() {
    return new Source(topic, partition, offset);
  }
}
