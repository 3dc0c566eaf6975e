/**
 * The experiments of Huang and Wu 2023 on logs that are confounded and selected: Table 1, Figures 3
 * and 4, and those on its online algorithms.
 *
 * <p>{@link io.equipoise.lab.pcb.LoggedWorld} is the model of Table 2 with its true effects. It
 * returns {@link io.equipoise.lab.pcb.LoggedRounds}, sampled or exact. {@link
 * io.equipoise.lab.pcb.CausalBounds} and {@link io.equipoise.lab.pcb.PointEstimates} are the bounds
 * and the baseline estimates of a log. {@link io.equipoise.lab.pcb.Contest} plays the contenders of
 * Figure 4, {@link io.equipoise.lab.pcb.OamContest} the online algorithms. Each command contains
 * its checks.
 */
@NullMarked
package io.equipoise.lab.pcb;

import org.jspecify.annotations.NullMarked;
