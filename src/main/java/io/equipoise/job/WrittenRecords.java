package io.equipoise.job;

import io.equipoise.state.WrittenState;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * The records that a subtask has written and that readers may not see. Those are the records since
 * the barrier of the last but one checkpoint that is known to be complete; records before that
 * barrier are committed.
 */
final class WrittenRecords {
  private final Deque<Interval> intervals = new ArrayDeque<>();
  private Interval current;

  /** The records between two barriers. */
  private static final class Interval {
    final Map<TopicPartition, Long> endsBefore;
    final Map<String, Seqs> written = new HashMap<>();
    long checkpoint;

    Interval(Map<TopicPartition, Long> endsBefore) {
      this.endsBefore = Map.copyOf(endsBefore);
    }
  }

  private static final class Seqs {
    final long first;
    long last;

    Seqs(long first) {
      this.first = first;
    }
  }

  /**
   * Starts.
   *
   * @param ends end offsets of the output topics
   */
  WrittenRecords(Map<TopicPartition, Long> ends) {
    this.current = new Interval(ends);
  }

  /** Records that an output was written; records of a segment arrive in the order of seq. */
  void wrote(String segment, long seq) {
    if (seq < 1) {
      return; // not part of any order
    }
    current.written.computeIfAbsent(segment, key -> new Seqs(seq)).last = seq;
  }

  /**
   * Returns the state for a checkpoint.
   *
   * @param inputs what the subtask has read
   * @param recentEnds ends of the topics before this call
   */
  WrittenState snapshot(
      String deployment, InputsRead inputs, long checkpoint, Map<TopicPartition, Long> recentEnds) {
    current.checkpoint = checkpoint;
    intervals.addLast(current);
    current = new Interval(recentEnds);
    TreeMap<String, long[]> unconfirmed = new TreeMap<>();
    for (Interval interval : intervals) {
      interval.written.forEach(
          (segment, seqs) ->
              unconfirmed.computeIfAbsent(segment, key -> new long[] {seqs.first, 0})[1] =
                  seqs.last);
    }
    return new WrittenState(
        deployment,
        inputs.topics(),
        inputs.offsets(),
        offsets(intervals.getFirst().endsBefore),
        unconfirmed.entrySet().stream()
            .map(it -> new WrittenState.Range(it.getKey(), it.getValue()[0], it.getValue()[1]))
            .toList());
  }

  /** Forgets the records that were committed before a complete checkpoint. */
  void completed(long checkpoint) {
    while (!intervals.isEmpty() && intervals.getFirst().checkpoint < checkpoint) {
      intervals.removeFirst();
    }
  }

  private static List<WrittenState.Offset> offsets(Map<TopicPartition, Long> offsets) {
    return offsets.entrySet().stream()
        .map(
            it ->
                new WrittenState.Offset(
                    it.getKey().topic(), it.getKey().partition(), it.getValue()))
        .sorted(
            Comparator.comparing(WrittenState.Offset::topic)
                .thenComparingInt(WrittenState.Offset::partition))
        .toList();
  }
}
