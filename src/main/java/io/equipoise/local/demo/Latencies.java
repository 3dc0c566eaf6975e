package io.equipoise.local.demo;

import java.util.Arrays;

/** Collects times in milliseconds and tells their quantiles. */
final class Latencies {
  private long[] millis = new long[1024];
  private int count;

  void add(long latencyMillis) {
    if (count == millis.length) {
      millis = Arrays.copyOf(millis, 2 * count);
    }
    millis[count++] = latencyMillis;
  }

  /** Returns the least time that at least this share of all took; 0 of none. */
  long quantile(double share) {
    if (count == 0) {
      return 0;
    }
    long[] sorted = Arrays.copyOf(millis, count);
    Arrays.sort(sorted);
    int place = (int) Math.ceil(share * count) - 1;
    return sorted[Math.max(0, Math.min(count - 1, place))];
  }
}
