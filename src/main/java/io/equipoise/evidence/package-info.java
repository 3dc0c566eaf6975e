/**
 * E-processes: evidence that may be looked at after every row, as often as one likes.
 *
 * <pre>
 *   {@link io.equipoise.evidence.RowScores}        doubly robust scores of one decision
 *        |  bet on by
 *   {@link io.equipoise.evidence.BetMixture}       the running mean of scores exceeds x
 *        |  four of them
 *   {@link io.equipoise.evidence.OffPolicySums}    value of a policy, difference to the log's
 *
 *   {@link io.equipoise.evidence.GroupCounts}      the running mean of a group, from counts
 *        |  two of them, or of bets
 *   {@link io.equipoise.evidence.GapEvidence}      the gap of two means
 *        |  of each group and all others, since the first row and since many starts
 *   {@link io.equipoise.evidence.GroupMonitor}     gaps, and those that are new
 * </pre>
 *
 * <p>docs/math/watch.md#running-means has the statements and proofs. Plain Java; logarithms and
 * exponentials are {@link StrictMath}'s, so that a replay reaches the same bits. Knows no other
 * package.
 */
@NullMarked
package io.equipoise.evidence;

import org.jspecify.annotations.NullMarked;
