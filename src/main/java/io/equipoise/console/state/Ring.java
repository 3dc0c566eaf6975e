package io.equipoise.console.state;

import org.jspecify.annotations.Nullable;

/**
 * Sums by time bucket. Keeps the last {@link TimeAxis#BUCKETS} buckets and forgets older ones.
 * Allocates its array with the first value.
 */
final class Ring {
  private double @Nullable [] sums;
  private long newest;

  /** Adds a value to a bucket; ignores a bucket that is forgotten. */
  void add(long bucket, double value) {
    double[] all = sums;
    if (all == null) {
      all = new double[TimeAxis.BUCKETS];
      sums = all;
      newest = bucket;
    }
    if (bucket > newest) {
      long first = Math.max(newest + 1, bucket - TimeAxis.BUCKETS + 1);
      for (long passed = first; passed <= bucket; passed++) {
        all[slot(passed)] = 0;
      }
      newest = bucket;
    }
    if (bucket > newest - TimeAxis.BUCKETS) {
      all[slot(bucket)] += value;
    }
  }

  /** Returns the sum of a bucket, 0 if nothing was added. */
  double at(long bucket) {
    double[] all = sums;
    boolean isKept = all != null && bucket <= newest && bucket > newest - TimeAxis.BUCKETS;
    return isKept ? all[slot(bucket)] : 0;
  }

  /** Returns the sum over the window that ends with a bucket. */
  double total(long last) {
    return total(last - TimeAxis.BUCKETS + 1, last);
  }

  /** Returns the sum over a range of buckets, both ends included. */
  double total(long first, long last) {
    double total = 0;
    if (sums != null) {
      for (long bucket = first; bucket <= last; bucket++) {
        total += at(bucket);
      }
    }
    return total;
  }

  private static int slot(long bucket) {
    return (int) Math.floorMod(bucket, (long) TimeAxis.BUCKETS);
  }
}
