package io.equipoise.causal.bounds;

import io.equipoise.causal.estimand.Estimand;
import java.util.List;
import java.util.Optional;

/**
 * One chain of variables to bound P_x(y | c) by:
 *
 * <pre>P_x(y | c) = sum over w of P_x(w_1 | c) P_x(w_2 | c, w_1) ... P_x(y | c, w)</pre>
 *
 * <p>The last term is recovered. A recovered weight is used; any other weight may be any
 * distribution. Backward induction finds the extremes over those, since the sum is linear in each
 * weight: from the inside out, it takes a mean for a known weight, and a minimum (maximum) for an
 * unknown one. Every chain gives a valid bound, so their intersection is valid
 * (docs/math/causal-bounds.md#chains).
 *
 * @param variables W in a topological order of the graph
 * @param weights for each of W, P_x(w_j | c, w_1 ... w_j-1); empty if not recovered
 * @param value P_x(y | c, w)
 */
public record Chain(List<String> variables, List<Optional<Estimand>> weights, Estimand value) {
  public Chain {
    variables = List.copyOf(variables);
    weights = List.copyOf(weights);
  }

  /** Returns whether the chain gives a point: all weights are known. */
  public boolean isExact() {
    return weights.stream().allMatch(Optional::isPresent);
  }

  /** Returns the bound, without steps that the inner terms do not depend on. */
  public BoundFormula formula() {
    return formula(variables, weights, new BoundFormula.Value(value));
  }

  static BoundFormula formula(
      List<String> variables, List<Optional<Estimand>> weights, BoundFormula last) {
    BoundFormula formula = last;
    for (int j = variables.size() - 1; j >= 0; j--) {
      String variable = variables.get(j);
      if (formula.free().contains(variable)) {
        formula = step(variable, weights.get(j), formula);
      }
    }
    return formula;
  }

  private static BoundFormula step(
      String variable, Optional<Estimand> weights, BoundFormula inner) {
    return weights
        .<BoundFormula>map(known -> new BoundFormula.Average(variable, known, inner))
        .orElseGet(() -> new BoundFormula.Extremes(variable, inner));
  }
}
