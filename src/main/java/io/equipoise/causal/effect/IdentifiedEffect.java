package io.equipoise.causal.effect;

import io.equipoise.causal.estimand.Estimand;
import java.util.Optional;
import java.util.Set;

/** The answer to "is this effect a function of the observed distribution". */
public sealed interface IdentifiedEffect {
  /** It is. */
  record Identified(Estimand formula) implements IdentifiedEffect {}

  /**
   * It is not, or this method finds no formula.
   *
   * @param reason a sentence
   * @param factor the c-component C whose Q[C] no formula was found for; empty if none is to blame
   * @param within the c-component T that holds it, where An(C) in G[T] is T: the two form a hedge
   *     (Shpitser and Pearl 2006); empty if it was selection that stood in the way
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
