/**
 * The inner loops of linear models: sums and updates over arrays of doubles, and nothing that knows
 * what they mean.
 *
 * <p>They give the same bits everywhere: a sum's lanes are logical, eight or four whatever the
 * hardware has, they are added by a tree that is written out, and no multiplication is fused with
 * an addition.
 */
@NullMarked
package io.equipoise.policy.kernel;

import org.jspecify.annotations.NullMarked;
