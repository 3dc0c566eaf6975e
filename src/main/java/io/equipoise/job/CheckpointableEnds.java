package io.equipoise.job;

import org.jspecify.annotations.Nullable;

/**
 * Determines which end offsets of the decisions partitions a checkpoint may store: all markers
 * before them have been delivered. A start from the checkpoint reads from these offsets. It would
 * miss a marker before them, and with it the decisions that the marker invalidates.
 *
 * <p>Only partition {@value DecisionLog#MARKED_FIRST} is watched. Markers are appended to it before
 * all others. Its end is requested after the ends of all partitions are known, so that it is after
 * each marker that is before those ends in any partition. Once all markers before that end have
 * been delivered, the ends may be stored.
 */
final class CheckpointableEnds {
  private final long[] kept;
  private long @Nullable [] answered;
  private long needed;
  private long watchedUpTo;

  /** Starts with offsets before which all markers are known. */
  CheckpointableEnds(long[] begins) {
    kept = begins.clone();
  }

  /**
   * Records a response, unless an earlier one is still waiting.
   *
   * @param watchedEnd end of the watched partition, requested when the ends were known
   */
  void answered(long[] ends, long watchedEnd) {
    if (answered == null) {
      answered = ends.clone();
      needed = Math.max(watchedEnd, ends[DecisionLog.MARKED_FIRST]);
    }
    keep();
  }

  /** Records that all markers before an offset of the watched partition were delivered. */
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

  /** Returns the ends, by partition; none ever decreases. */
  long[] kept() {
    return kept.clone();
  }
}
