package io.equipoise.causal.effect;

import io.equipoise.causal.estimand.Estimand;
import java.util.Optional;
import java.util.Set;

/** States whether an effect is a function of the observed distribution, and which. */
public sealed interface IdentifiedEffect {
  /** The effect is identified. */
  record Identified(Estimand formula) implements IdentifiedEffect {}

  /**
   * The effect is not identified, or this method finds no formula.
   *
   * @param reason a sentence
   * @param factor the c-component C without a formula for Q[C]; empty if there is none
   * @param within the c-component T that contains it, where An(C) in G[T] is T: the two form a
   *     hedge (Shpitser and Pearl 2006); empty if selection is the cause
   */
  record NotIdentified(String reason, Set<String> factor, Set<String> within)
      implements IdentifiedEffect {}

  default Optional<Estimand> estimand() {
    return this instanceof Identified identified
        ? Optional.of(identified.formula())
        : Optional.empty();
  }

  default boolean isIdentified() {
    return this instanceof Identified;
  }
}
