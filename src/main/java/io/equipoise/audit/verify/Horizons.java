package io.equipoise.audit.verify;

import io.equipoise.segment.state.CompiledSpec;
import java.util.List;

/**
 * How long the specs of a deployment let ids be remembered, all of them taken together.
 *
 * @param longestEarly a reward without a context is refused no later than so long behind its event
 *     time, ms
 * @param shortestMemory a decision's identity is known at least so long behind its context, ms
 */
record Horizons(long longestEarly, long shortestMemory) {
  private static final long FOR_EVER = Long.MAX_VALUE / 4;

  /** Returns what no spec could exceed where none is at hand: nothing is certain then. */
  static Horizons of(List<CompiledSpec> specs) {
    if (specs.isEmpty()) {
      return new Horizons(FOR_EVER, 0);
    }
    long early = 0;
    long memory = FOR_EVER;
    for (CompiledSpec spec : specs) {
      long bucket = spec.bucketMillis();
      early = Math.max(early, spec.spec().join().earlyRewardTimeout().toMillis() + 2 * bucket);
      memory =
          Math.min(
              memory,
              spec.spec().join().rewardWindow().toMillis()
                  + spec.spec().join().dedupWindow().toMillis());
    }
    return new Horizons(early, memory);
  }
}
