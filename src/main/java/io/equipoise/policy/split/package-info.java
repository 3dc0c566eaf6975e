/**
 * The live split of the gap between two groups' mean rewards into the parts of who comes, of what
 * they bring, of what the policy decides and of the attribute itself, by sequential matching:
 * docs/math/effect-split.md#live.
 *
 * <p>{@code SplitLevels} reads from spec and graph what is matched in which order. {@code GapSums}
 * counts learned rewards and reports intervals that hold at all times. Nothing reads them but the
 * metrics: no policy depends on the split.
 */
@NullMarked
package io.equipoise.policy.split;

import org.jspecify.annotations.NullMarked;
