/**
 * Tests of what a spec assumes, by the rewards that the model learns.
 *
 * <pre>
 *   {@link io.equipoise.policy.refutation.Assumptions}: the tests that follow from a spec
 *        |  one for each
 *   TableTest        a given table P(m | parents) against the mediators observed
 *   MeanTest         the mean of a cell is the same in all groups: levels of a variable outside W,
 *        |           or older and newer rewards
 *   RangeTest        the declared range of mean rewards, where single rewards may lie outside it
 *   ScaleTest        the declared sub-Gaussian scale
 *        |  count in
 *   {@link io.equipoise.policy.refutation.EvidenceBlock}
 * </pre>
 *
 * <p>Every test is an e-process: a statistic that starts at 1 and, while the assumption holds, has
 * an expectation of at most 1 at every stopping time. It rejects when it reaches 1 over its share
 * of the segment's refutation delta (Ville's inequality), so all tests together ever reject a true
 * assumption with at most that probability. Plain Java; logarithms are {@link StrictMath}'s, so
 * that a replay reaches the same bits.
 */
@NullMarked
package io.equipoise.policy.refutation;

import org.jspecify.annotations.NullMarked;
