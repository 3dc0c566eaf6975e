package io.equipoise.causal.effect;

import io.equipoise.causal.estimand.Estimand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Factors an effect into the sum of a product of c-factors: P(y | do x) is the sum over {@code
 * summed} of the product of Q[D_i], where the D_i are the c-components of D = An(Y) without X (Tian
 * and Pearl 2003). It is identified iff all of them are.
 *
 * @param factors in the order of their first nodes
 * @param summed D without Y
 * @param effect the whole effect
 */
public record Factorization(List<Factor> factors, Set<String> summed, IdentifiedEffect effect) {
  /** Q[nodes], the distribution of the nodes under intervention on all others. */
  public record Factor(Set<String> nodes, IdentifiedEffect effect) {}

  public Factorization {
    factors = List.copyOf(factors);
  }

  static Factorization of(List<Factor> factors, Set<String> summed) {
    return new Factorization(factors, summed, effect(factors, summed));
  }

  /** Returns the sum of the product, or the first failure. */
  static IdentifiedEffect effect(List<Factor> factors, Set<String> summed) {
    List<Estimand> formulas = new ArrayList<>();
    for (Factor factor : factors) {
      if (factor.effect() instanceof IdentifiedEffect.NotIdentified) {
        return factor.effect();
      }
      formulas.add(factor.effect().estimand().orElseThrow());
    }
    return new IdentifiedEffect.Identified(Estimand.product(formulas).summed(summed));
  }
}
