package io.equipoise.job;

import org.jspecify.annotations.Nullable;

/**
 * Ends of the decisions' partitions that a checkpoint may keep: no marker stands before them that
 * was not handed over. What goes on from a checkpoint reads from there, and would miss a marker
 * before them, with all that it makes void.
 *
 * <p>Only partition {@value DecisionLog#MARKED_FIRST} is watched. Markers are appended to it before
 * all others, so its end, asked for when the ends of all were known, has every marker before it
 * that stands before those, in any partition. When all before that end was handed over, the ends
 * may be kept.
 */
final class MarkedEnds {
  private final long[] kept;
  private long @Nullable [] answered;
  private long needed;
  private long watchedUpTo;

  /** Starts with offsets that no marker stands before but known ones. */
  MarkedEnds(long[] begins) {
    kept = begins.clone();
  }

  /**
   * Takes note of an answer, unless an earlier one waits until it can be kept.
   *
   * @param watchedEnd that of the watched partition, asked for when the ends were known
   */
  void answered(long[] ends, long watchedEnd) {
    if (answered == null) {
      answered = ends.clone();
      needed = Math.max(watchedEnd, ends[DecisionLog.MARKED_FIRST]);
    }
    keep();
  }

  /** Takes note that all markers before an offset of the watched partition were handed over. */
  void watched(long upTo) {
    watchedUpTo = Math.max(watchedUpTo, upTo);
    keep();
  }

  private void keep() {
    if (answered != null && watchedUpTo >= needed) {
      for (int partition = 0; partition < kept.length; partition++) {
        kept[partition] = Math.max(kept[partition], answered[partition]);
      }
      answered = null;
    }
  }

  /** Returns the ends, by partition; none is ever less than it was. */
  long[] kept() {
    return kept.clone();
  }
}
