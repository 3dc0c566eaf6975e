/**
 * Which causal effects the observed data determine, and by which formula.
 *
 * <p>{@link io.equipoise.causal.effect.Identification} answers from data without selection (Tian
 * and Pearl's Identify, ID, IDC), {@link io.equipoise.causal.effect.SelectionRecovery} from
 * selected rows (RC and its conditional form), {@link io.equipoise.causal.effect.Adjustment} by
 * covariates under confounding and selection. All give an {@link
 * io.equipoise.causal.effect.IdentifiedEffect}: an estimand of {@code causal.estimand}, or why
 * there is none. Variables go by name; latent nodes of the graph are projected out first.
 */
@NullMarked
package io.equipoise.causal.effect;

import org.jspecify.annotations.NullMarked;
