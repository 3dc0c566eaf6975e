package io.equipoise.job;

import org.jspecify.annotations.Nullable;

/**
 * Ends of the decisions' partitions that a checkpoint may keep: no marker stands before them that
 * was not handed over. What goes on from a checkpoint reads from there, and would miss a marker
 * before them, with all that it makes void.
 *
 * <p>Only partition {@value DecisionLog#MARKED_FIRST} is watched. Markers are appended to it before
 * all others, so an end asked for when earlier ends were known has every marker before it that
 * stands before those, in any partition. When all before that end was handed over, the earlier ends
 * may be kept.
 */
final class MarkedEnds {
  private final long[] kept;
  private long @Nullable [] earlier;
  private long watchedUpTo;
  private long needed = -1;

  /** Starts with offsets that no marker stands before but known ones. */
  MarkedEnds(long[] begins) {
    kept = begins.clone();
  }

  /** Takes note of the answer to a question that was asked after all answers before. */
  void answered(long[] ends) {
    if (earlier == null) {
      earlier = ends.clone();
    } else if (needed < 0) {
      needed = Math.max(ends[DecisionLog.MARKED_FIRST], earlier[DecisionLog.MARKED_FIRST]);
    }
    keep();
  }

  /** Takes note that all markers before an offset of the watched partition were handed over. */
  void watched(long upTo) {
    watchedUpTo = Math.max(watchedUpTo, upTo);
    keep();
  }

  private void keep() {
    if (earlier != null && needed >= 0 && watchedUpTo >= needed) {
      for (int partition = 0; partition < kept.length; partition++) {
        kept[partition] = Math.max(kept[partition], earlier[partition]);
      }
      earlier = null;
      needed = -1;
    }
  }

  /** Returns the ends, by partition; none is ever less than it was. */
  long[] kept() {
    return kept.clone();
  }
}
