package io.equipoise.audit.verify;

import io.equipoise.event.LogTopic;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps the seqs of one segment that were read so far.
 *
 * <p>State: the runs of seqs, the last record of each topic, and the greatest checked seq. {@link
 * #begin(boolean, boolean)} derives the first seq without gaps after all records were read. {@link
 * #gaplessTo}, {@link #hasGap} and {@link #isFromStart} use it; before that call it is the first
 * seq after the start.
 */
final class SeqTrack {
  /** Memory per track with its map entry and a name of usual length, in bytes. */
  static final long BYTES = 512;

  private static final int NOWHERE = -1;

  private final SeqRuns runs = new SeqRuns();
  private final Last decisions = new Last();
  private final Last segmentEvents = new Last();
  private long checkedTo;
  private final long start;
  private long begin;

  /** Keeps the place of the last record of one topic, and the first seq read there. */
  private static final class Last {
    private int partition = NOWHERE;
    private long seq;
    private int writerEpoch;
    private long first = Long.MAX_VALUE;
  }

  /**
   * Starts a track.
   *
   * @param start the last seq in the savepoint, 0 without one
   */
  SeqTrack(long start) {
    this.start = start;
    this.begin = start + 1;
  }

  /** Adds a change; returns the reason why its seq is wrong, or an empty text. */
  String add(Change change) {
    Last last = change.at().slice().topic() == LogTopic.DECISIONS ? decisions : segmentEvents;
    last.first = Math.min(last.first, change.seq());
    if (change.seq() <= start && start > 0) {
      return ""; // the savepoint includes it
    }
    long before = last.partition == change.at().slice().partition() ? last.seq : 0;
    last.partition = change.at().slice().partition();
    last.seq = Math.max(before, change.seq());
    last.writerEpoch = change.writerEpoch();
    if (change.at().isChecked()) {
      checkedTo = Math.max(checkedTo, change.seq());
    }
    if (change.seq() < 1) {
      return "seq must start at 1";
    }
    if (!runs.add(change.seq())) {
      return "an earlier change has this seq";
    }
    return change.seq() < before ? "it follows seq " + before + " in its partition" : "";
  }

  /**
   * Returns whether the same writer epoch wrote a numbered decision before this one in its
   * partition. Another writer epoch may have started without the state.
   */
  boolean isBehindNumbers(Change unnumbered) {
    return decisions.partition == unnumbered.at().slice().partition()
        && decisions.writerEpoch == unnumbered.writerEpoch();
  }

  /**
   * Sets the first seq from which on none may be missing: the first after the start. If retention
   * removed the beginning of a topic and seqs are missing there, it is the first seq that both
   * topics kept.
   */
  void begin(boolean hasAllDecisions, boolean hasAllSegmentEvents) {
    long decided = hasAllDecisions ? 1 : decisions.first;
    long changed = hasAllSegmentEvents ? 1 : segmentEvents.first;
    long kept = Math.max(decided, changed);
    long complete = runs.first() == start + 1 ? runs.gaplessTo(start + 1) : start;
    begin = complete >= Math.min(kept - 1, runs.last()) ? start + 1 : Math.max(kept, start + 1);
  }

  /** Returns the last seq in the savepoint, 0 without one. */
  long start() {
    return start;
  }

  /** Returns whether the segment is complete from its start. */
  boolean isFromStart() {
    return begin == start + 1 && (runs.first() == begin || runs.last() == 0);
  }

  /** Returns the first seq from which on none may be missing. */
  long begin() {
    return begin;
  }

  /** Returns the last seq before the first gap. */
  long gaplessTo() {
    return runs.gaplessTo(begin);
  }

  /** Returns the smallest seq read. */
  long first() {
    return runs.first();
  }

  /** Returns the greatest seq read. */
  long last() {
    return runs.last();
  }

  /** Returns whether a seq is missing before a checked one. */
  boolean hasGap() {
    return checkedTo > gaplessTo();
  }

  /** Describes the first gap. */
  String gap() {
    return "seq goes from %d to %d; %d missing in all"
        .formatted(gaplessTo(), runs.next(gaplessTo()), runs.missing(begin));
  }

  /**
   * Stores a set of numbers as runs without gaps. Memory grows with the number of gaps. Adding
   * takes O(log gaps).
   */
  private static final class SeqRuns {
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
     * Returns the last number before the first gap after {@code from}; {@code from} if it is
     * absent.
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
}
