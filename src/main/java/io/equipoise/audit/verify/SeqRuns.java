package io.equipoise.audit.verify;

import java.util.Map;
import java.util.TreeMap;

/**
 * A set of numbers as runs without gaps. Memory grows with the number of gaps. Adding takes O(log
 * gaps).
 */
final class SeqRuns {
  private final TreeMap<Long, Long> lastByFirst = new TreeMap<>();

  /** Adds a number; returns false if it was present. */
  boolean add(long seq) {
    Map.Entry<Long, Long> before = lastByFirst.floorEntry(seq);
    if (before != null && before.getValue() >= seq) {
      return false;
    }
    Long joined = lastByFirst.remove(seq + 1);
    long last = joined == null ? seq : joined;
    if (before != null && before.getValue() == seq - 1) {
      lastByFirst.put(before.getKey(), last);
    } else {
      lastByFirst.put(seq, last);
    }
    return true;
  }

  /** Returns the smallest number; 0 if empty. */
  long first() {
    return lastByFirst.isEmpty() ? 0 : lastByFirst.firstKey();
  }

  /**
   * Returns the last number before the first gap after {@code from}; {@code from} if it is absent.
   */
  long gaplessTo(long from) {
    Map.Entry<Long, Long> run = lastByFirst.floorEntry(from);
    return run == null ? from : Math.max(from, run.getValue());
  }

  /** Returns the greatest number; 0 if empty. */
  long last() {
    return lastByFirst.isEmpty() ? 0 : lastByFirst.lastEntry().getValue();
  }

  /** Returns how many numbers are missing after {@code from}, which must be present. */
  long missing(long from) {
    long missing = 0;
    long before = from;
    for (Map.Entry<Long, Long> run : lastByFirst.tailMap(from, false).entrySet()) {
      missing += Math.max(0, run.getKey() - gaplessTo(before) - 1);
      before = run.getValue();
    }
    return missing;
  }

  /** Returns the next greater number; 0 if there is none. */
  long next(long seq) {
    Long next = lastByFirst.higherKey(seq);
    return next == null ? 0 : next;
  }
}
