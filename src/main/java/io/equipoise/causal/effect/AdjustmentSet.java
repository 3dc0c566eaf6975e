package io.equipoise.causal.effect;

import java.util.Set;

/**
 * Covariates to adjust for.
 *
 * @param covariates Z, in declaration order
 * @param external the part of Z that must also be known in unselected rows
 */
public record AdjustmentSet(Set<String> covariates, Set<String> external) {}
