/**
 * Optimal allocation matching for contextual linear bandits (Hao, Lattimore and Szepesvari 2020),
 * and with causal bounds, OAM-PCB (Huang and Wu 2023, Algorithm 5).
 *
 * <p>{@link io.equipoise.policy.allocation.OamRule} chooses over a finite table of contexts and
 * arms that share one theta; what it has learned is in {@link
 * io.equipoise.policy.allocation.OamStatistics}, what it goes by in {@link
 * io.equipoise.policy.allocation.OamPlan}. {@link io.equipoise.policy.allocation.OamPolicy} is the
 * same in a segment of the streaming job, with the table, the causal bounds and the audit of a
 * spec. How often it should have tried what is the solution of {@link
 * io.equipoise.policy.allocation.AllocationProblem}, found by {@link
 * io.equipoise.policy.allocation.BarrierSolver}. Plain Java and EJML; a choice is a function of the
 * state and the context.
 */
@NullMarked
package io.equipoise.policy.allocation;

import org.jspecify.annotations.NullMarked;
