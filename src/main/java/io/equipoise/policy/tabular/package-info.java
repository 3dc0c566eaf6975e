/**
 * The policies over cells of discrete variables, D-UCB and F-UCB (seed paper 000): a mean and a
 * confidence interval per arm and cell, effects of a counterfactual attribute summed over cells,
 * and the rules that choose an arm by them.
 *
 * <p>{@link io.equipoise.policy.tabular.TabularPolicy} is the entry; {@link
 * io.equipoise.policy.tabular.CellRound} is one decision: who may be chosen, and who is.
 */
@NullMarked
package io.equipoise.policy.tabular;

import org.jspecify.annotations.NullMarked;
