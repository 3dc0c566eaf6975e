package io.equipoise.causal.bounds;

import io.equipoise.causal.estimand.Estimand;
import java.util.List;
import java.util.Optional;

/**
 * One chain of variables to bound P_x(y | c) by:
 *
 * <pre>P_x(y | c) = sum over w of P_x(w_1 | c) P_x(w_2 | c, w_1) ... P_x(y | c, w)</pre>
 *
 * <p>The last term is recovered. A weight that is recovered too is used; one that is not may be any
 * distribution, and the extremes over all such are found by backward induction, since the sum is
 * linear in each weight: from the inside out, a mean where the weight is known, a minimum (maximum)
 * where it is not. Every chain gives a valid bound, so their intersection is one.
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

  /** Says whether the chain gives a point: all weights are known. */
  public boolean isExact() {
    return weights.stream().allMatch(Optional::isPresent);
  }

  /** Returns the bound; steps over what the inside does not depend on are left out. */
  public BoundFormula formula() {
    BoundFormula formula = new BoundFormula.Value(value);
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
