/**
 * Bounds on P(y | do(arm), context) from logged rows that are confounded and selected.
 *
 * <p>Usage, by a program that counts rows:
 *
 * <ol>
 *   <li>{@link io.equipoise.causal.bounds.BoundPlanner} makes a {@link
 *       io.equipoise.causal.bounds.BoundPlan} from the graph and a {@link
 *       io.equipoise.causal.bounds.BoundQuery}; no data yet;
 *   <li>{@link io.equipoise.causal.bounds.BoundPlan#scopes} says over which sets of variables to
 *       count, and whether among selected or unselected rows. Count each scope into a {@code
 *       ContingencyTable}: cells by code, whole numbers, mergeable;
 *   <li>put the tables into {@code ObservedValues}, declare the arm's and context's variables, and
 *       {@link io.equipoise.causal.bounds.BoundPlan#evaluate} gives one {@link
 *       io.equipoise.causal.bounds.BoundRecord} for each arm and context, the same bits for the
 *       same counts.
 * </ol>
 *
 * <p>The default mode, SOUND, is chain-rule backward induction: {@link
 * io.equipoise.causal.bounds.Chain}. With {@link io.equipoise.causal.bounds.Confidence}, its bounds
 * are valid for all arms and contexts together at 1 - delta. TABLE1 and PAPER reproduce a
 * publication and have no guarantee.
 */
@NullMarked
package io.equipoise.causal.bounds;

import org.jspecify.annotations.NullMarked;
