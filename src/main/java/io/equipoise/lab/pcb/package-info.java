/**
 * The experiments of Huang and Wu 2023 on logs that are confounded and selected: Table 1, Figures 3
 * and 4, and those on its online algorithms.
 *
 * <p>{@link io.equipoise.lab.pcb.LoggedWorld} is the model of Table 2 with its true effects; it
 * gives a {@link io.equipoise.lab.pcb.LoggedRounds}, sampled or exact, from which {@link
 * io.equipoise.lab.pcb.CausalBounds} are bounds and {@link io.equipoise.lab.pcb.PointEstimates}
 * what the baselines take for the effects. {@link io.equipoise.lab.pcb.Contest} plays contenders of
 * Figure 4 against one another, {@link io.equipoise.lab.pcb.OamContest} the others. What is
 * compared with what is in the checks of each command.
 */
@NullMarked
package io.equipoise.lab.pcb;

import org.jspecify.annotations.NullMarked;
