package io.equipoise.causal.bounds;

import io.equipoise.causal.GraphException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Asks for bounds of P(outcome = level | do(arm), context) at every level of the arm's and the
 * context's variables.
 *
 * @param outcome Y
 * @param level the level of Y whose probability is bounded, as in the tables
 * @param arm X, in the order of the records
 * @param context C
 */
public record BoundQuery(String outcome, String level, List<String> arm, List<String> context) {
  public BoundQuery {
    arm = List.copyOf(arm);
    context = List.copyOf(context);
    Set<String> seen = new HashSet<>(Set.of(outcome));
    for (String name : arm) {
      if (!seen.add(name)) {
        throw new GraphException("\"" + name + "\" is twice in the query");
      }
    }
    for (String name : context) {
      if (!seen.add(name)) {
        throw new GraphException("\"" + name + "\" is twice in the query");
      }
    }
  }

  /** Queries the level {@code "1"}. */
  public static BoundQuery of(String outcome, List<String> arm, List<String> context) {
    return new BoundQuery(outcome, "1", arm, context);
  }
}
