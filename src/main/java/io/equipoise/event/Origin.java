package io.equipoise.event;

/**
 * Says where an input record was read from.
 *
 * @param appendTime the record's timestamp in its topic, epoch milliseconds, or {@link
 *     #NO_APPEND_TIME}
 */
public record Origin(String topic, int partition, long offset, long appendTime) {
  /** Stands for a record without a timestamp. */
  public static final long NO_APPEND_TIME = Long.MIN_VALUE;
}
