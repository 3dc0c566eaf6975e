/**
 * The inner loops of linear models: sums and updates over arrays of doubles, and nothing that knows
 * what they mean.
 *
 * <pre>
 *   Kernels  (what is computed, and in which order)
 *      |- ScalarKernels          anywhere
 *      '- vector.VectorKernels   where jdk.incubator.vector is there and 256 bits wide
 * </pre>
 *
 * <p>Both give the same bits: a sum's lanes are logical, eight or four whatever the hardware has,
 * they are added by a tree that is written out, and no multiplication is fused with an addition.
 */
@NullMarked
package io.equipoise.bandit.kernel;

import org.jspecify.annotations.NullMarked;
