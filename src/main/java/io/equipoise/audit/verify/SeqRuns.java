package io.equipoise.audit.verify;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which numbers were seen, as runs without a gap; takes memory by the number of gaps, not of
 * numbers. Adding is O(log gaps).
 */
final class SeqRuns {
  private final TreeMap<Long, Long> lastByFirst = new TreeMap<>();

  /** Adds a number; returns false if it was there. */
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

  /** Returns the least number seen; 0 where there is none. */
  long first() {
    return lastByFirst.isEmpty() ? 0 : lastByFirst.firstKey();
  }

  /** Returns the last number before the first gap; 0 where there is none. */
  long gaplessTo() {
    return lastByFirst.isEmpty() ? 0 : lastByFirst.firstEntry().getValue();
  }

  /** Returns the greatest number seen; 0 where there is none. */
  long last() {
    return lastByFirst.isEmpty() ? 0 : lastByFirst.lastEntry().getValue();
  }

  /** Returns the number of numbers missing between the least and the greatest. */
  long missing() {
    long missing = 0;
    @Nullable Long before = null;
    for (Map.Entry<Long, Long> run : lastByFirst.entrySet()) {
      missing += before == null ? 0 : run.getKey() - before - 1;
      before = run.getValue();
    }
    return missing;
  }

  /** Returns the first number behind the first gap; 0 where there is none. */
  long afterGap() {
    Long next = lastByFirst.isEmpty() ? null : lastByFirst.higherKey(lastByFirst.firstKey());
    return next == null ? 0 : next;
  }
}
