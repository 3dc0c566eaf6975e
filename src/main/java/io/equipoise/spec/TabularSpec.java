package io.equipoise.spec;

import io.equipoise.spec.LinearSpec.Constraint;
import io.equipoise.spec.PolicySpec.FamilySpec;

/**
 * The settings of a policy over cells whose choice effects price or screen; others have none.
 *
 * @param constraint neither NONE nor HARD, which is a policy of its own
 */
public record TabularSpec(Constraint constraint) implements FamilySpec {}
