package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogTopic;

/** The numbers of one segment as far as they were read. */
final class SeqTrack {
  /** What a track takes, with its place in a map and a name of usual length. */
  static final long BYTES = 512;

  private static final int NOWHERE = -1;

  private final SeqRuns runs = new SeqRuns();
  private final Last decisions = new Last();
  private final Last segmentEvents = new Last();
  private long judgedTo;
  private final long start;
  private long begin;

  /** The last number in one topic, and the partition it stood in. */
  private static final class Last {
    private int partition = NOWHERE;
    private long seq;
    private int writerEpoch;
    private long first = Long.MAX_VALUE;
  }

  /**
   * Starts a track.
   *
   * @param start the last number that a savepoint has, 0 without one
   */
  SeqTrack(long start) {
    this.start = start;
    this.begin = start + 1;
  }

  /** Returns what is wrong with a change in its place, or an empty text. */
  String add(Change change) {
    Last last = change.at().slice().topic() == LogTopic.DECISIONS ? decisions : segmentEvents;
    last.first = Math.min(last.first, change.seq());
    if (change.seq() <= start && start > 0) {
      return ""; // the savepoint has it
    }
    long before = last.partition == change.at().slice().partition() ? last.seq : 0;
    last.partition = change.at().slice().partition();
    last.seq = Math.max(before, change.seq());
    last.writerEpoch = change.writerEpoch();
    if (change.at().isChecked()) {
      judgedTo = Math.max(judgedTo, change.seq());
    }
    if (change.seq() < 1) {
      return "seq begins with 1";
    }
    if (!runs.add(change.seq())) {
      return "this seq was there before";
    }
    return change.seq() < before ? "it stands behind seq " + before + " in its partition" : "";
  }

  /**
   * Says whether the same attempt wrote a numbered decision before this one in its partition.
   * Another attempt may have begun without the state.
   */
  boolean isBehindNumbers(Change unnumbered) {
    return decisions.partition == unnumbered.at().slice().partition()
        && decisions.writerEpoch == unnumbered.writerEpoch();
  }

  /**
   * Sets from where on nothing may be missing: from the start. Where retention removed the
   * beginning of a topic, and numbers are missing there, that is where both topics still have the
   * segment.
   */
  void begin(boolean hasAllDecisions, boolean hasAllSegmentEvents) {
    long decided = hasAllDecisions ? 1 : decisions.first;
    long changed = hasAllSegmentEvents ? 1 : segmentEvents.first;
    long kept = Math.max(decided, changed);
    long complete = runs.first() == start + 1 ? runs.gaplessTo(start + 1) : start;
    begin = complete >= Math.min(kept - 1, runs.last()) ? start + 1 : Math.max(kept, start + 1);
  }

  /** Returns the last number that a savepoint has, 0 without one. */
  long start() {
    return start;
  }

  /** Says whether the segment can be followed from its start. */
  boolean isFromStart() {
    return begin == start + 1 && (runs.first() == begin || runs.last() == 0);
  }

  /** Returns the number that the segment can be followed from. */
  long begin() {
    return begin;
  }

  /** Returns up to which number nothing is missing. */
  long gaplessTo() {
    return runs.gaplessTo(begin);
  }

  /** Returns the least number seen. */
  long first() {
    return runs.first();
  }

  /** Returns the greatest number seen. */
  long last() {
    return runs.last();
  }

  /** Says whether a number is missing that something judged comes after. */
  boolean hasGap() {
    return judgedTo > gaplessTo();
  }

  /** Tells the first gap. */
  String gap() {
    return "seq goes from %d to %d; %d missing in all"
        .formatted(gaplessTo(), runs.next(gaplessTo()), runs.missing(begin));
  }
}
