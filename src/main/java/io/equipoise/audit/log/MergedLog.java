package io.equipoise.audit.log;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges ranges by the timestamps of their first waiting records, and knows whether the next record
 * is determined.
 */
final class MergedLog {
  private static final Comparator<LogRecord> ORDER =
      Comparator.comparingLong(LogRecord::timestamp)
          .thenComparing(record -> record.slice().topic())
          .thenComparing(record -> record.slice().partition());

  private final Map<OffsetRange, ArrayDeque<LogRecord>> queues = new HashMap<>();
  private final Set<OffsetRange> ended = new HashSet<>();
  private final PriorityQueue<LogRecord> heads = new PriorityQueue<>(ORDER);
  private int unknown;

  MergedLog(List<OffsetRange> slices) {
    for (OffsetRange offsetRange : slices) {
      queues.put(offsetRange, new ArrayDeque<>());
    }
    unknown = queues.size();
  }

  /** Adds the next record of a range. */
  void add(LogRecord record) {
    ArrayDeque<LogRecord> queue = queue(record.slice());
    queue.add(record);
    if (queue.size() == 1) {
      heads.add(record);
      unknown--;
    }
  }

  /** Notes that a range has no more records. */
  void end(OffsetRange offsetRange) {
    if (ended.add(offsetRange) && queue(offsetRange).isEmpty()) {
      unknown--;
    }
  }

  /** Returns how many records of a range wait. */
  int waiting(OffsetRange offsetRange) {
    return queue(offsetRange).size();
  }

  /** Returns whether the next record, or the end, is determined. */
  boolean isReady() {
    return unknown == 0;
  }

  /** Returns the next record, or null at the end. Requires {@link #isReady}. */
  @Nullable LogRecord poll() {
    LogRecord next = heads.poll();
    if (next == null) {
      return null;
    }
    ArrayDeque<LogRecord> queue = queue(next.slice());
    queue.remove();
    LogRecord head = queue.peek();
    if (head != null) {
      heads.add(head);
    } else if (!ended.contains(next.slice())) {
      unknown++;
    }
    return next;
  }

  private ArrayDeque<LogRecord> queue(OffsetRange offsetRange) {
    ArrayDeque<LogRecord> queue = queues.get(offsetRange);
    if (queue == null) {
      throw new IllegalArgumentException(offsetRange + " is not merged here");
    }
    return queue;
  }
}
