package io.equipoise.causal.bounds;

import java.util.List;

/**
 * One of the bounds whose intersection is the result.
 *
 * @param w the variables that are marginalized or set to their extremes
 * @param formula formula of the bound
 */
public record BoundPart(List<String> w, BoundFormula formula) {
  public BoundPart {
    w = List.copyOf(w);
  }
}
