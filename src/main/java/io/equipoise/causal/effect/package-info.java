/**
 * Which causal effects the observed data determine, and by which formula.
 *
 * <p>{@link io.equipoise.causal.effect.Identification} uses data without selection (Tian and
 * Pearl's Identify, ID, IDC), {@link io.equipoise.causal.effect.SelectionRecovery} selected rows
 * (RC and its conditional form), {@link io.equipoise.causal.effect.Adjustment} covariates under
 * confounding and selection. All return an {@link io.equipoise.causal.effect.IdentifiedEffect}: an
 * estimand of {@code causal.estimand}, or the reason for its absence. Variables have names; latent
 * nodes of the graph are projected out first.
 */
@NullMarked
package io.equipoise.causal.effect;

import org.jspecify.annotations.NullMarked;
