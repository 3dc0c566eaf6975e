package io.equipoise.audit.verify;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.DueIndex;
import java.util.List;

/**
 * Bounds the retention of ids over all specs of a deployment.
 *
 * @param longestEarly maximum time after its event time until an early reward is rejected, ms
 * @param longestBucket maximum time by which a due decision is closed late, ms
 * @param shortestMemory minimum time after its context that a decision's id is remembered, ms
 */
record Horizons(long longestEarly, long longestBucket, long shortestMemory) {
  private static final long FOR_EVER = Long.MAX_VALUE / 4;

  /**
   * Returns the horizons of some specs; without specs the values under which nothing is certain.
   */
  static Horizons of(List<CompiledSpec> specs) {
    if (specs.isEmpty()) {
      return new Horizons(FOR_EVER, FOR_EVER, 0);
    }
    long early = 0;
    long longest = 0;
    long memory = FOR_EVER;
    for (CompiledSpec spec : specs) {
      longest = Math.max(longest, spec.bucketMillis(DueIndex.Queue.PENDING));
      early =
          Math.max(
              early,
              spec.spec().join().earlyRewardTimeout().toMillis()
                  + 2 * spec.bucketMillis(DueIndex.Queue.EARLY));
      memory =
          Math.min(
              memory,
              spec.spec().join().rewardWindow().toMillis()
                  + spec.spec().join().dedupWindow().toMillis());
    }
    return new Horizons(early, longest, memory);
  }
}
