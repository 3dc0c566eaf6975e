package io.equipoise.console.state;

import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Divides time into equal buckets.
 *
 * @param bucketMillis length of a bucket, at least 1
 */
public record TimeAxis(long bucketMillis) {
  /** Number of buckets that the console keeps. */
  public static final int BUCKETS = 120;

  /** Divides a history into {@value #BUCKETS} buckets of at least a second. */
  public static TimeAxis of(Duration history) {
    return new TimeAxis(Math.max(1000, history.toMillis() / BUCKETS));
  }

  /** Returns the length of the window, in milliseconds. */
  public long historyMillis() {
    return bucketMillis * BUCKETS;
  }

  /** Returns the bucket of a time in epoch milliseconds. */
  public long bucketOf(long time) {
    return Math.floorDiv(time, bucketMillis);
  }

  /** Returns the starts of the last buckets in ascending order, in epoch milliseconds. */
  public List<Long> starts(long last, int count) {
    return series(last - count + 1, last, bucket -> bucket * bucketMillis);
  }

  /** Returns a value of each bucket of a range, both ends included; values may be null. */
  public static <T extends @Nullable Object> List<T> series(
      long first, long last, LongFunction<T> value) {
    return LongStream.rangeClosed(first, last).mapToObj(value).toList();
  }
}
