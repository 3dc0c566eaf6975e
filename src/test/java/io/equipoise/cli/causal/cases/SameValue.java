package io.equipoise.cli.causal.cases;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.Estimand;
import io.equipoise.causal.estimand.EstimandParser;
import io.equipoise.causal.estimand.Evaluator;
import io.equipoise.causal.estimand.ObservedValues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares a printed estimand with a computed one by their values in some models of the graph:
 * formulas of one quantity agree in every model, formulas of different ones in almost none.
 */
final class SameValue {
  private static final int MODELS = 3;

  /** Models with more nodes and hidden causes are not marginalized. */
  private static final int MAX_NODES = 16;

  private SameValue() {}

  /** Formulas that cannot be parsed, or are too large to evaluate, count as equal. */
  static boolean of(CausalGraph graph, Set<String> named, String text, Estimand ours) {
    Estimand expected;
    try {
      expected = EstimandParser.parse(text);
    } catch (IllegalArgumentException e) {
      return true;
    }
    if (expected.equals(ours)) {
      return true;
    }
    CausalGraph projected = graph.projected();
    if (!projected.observed().containsAll(expected.free())) {
      return false;
    }
    if (SyntheticModel.size(projected) > MAX_NODES) {
      return true;
    }
    for (int model = 0; model < MODELS; model++) {
      ObservedValues observedValues = SyntheticModel.evidence(projected, model);
      if (!agree(
          new Evaluator(expected, observedValues), new Evaluator(ours, observedValues), named)) {
        return false;
      }
    }
    return true;
  }

  private static boolean agree(Evaluator one, Evaluator other, Set<String> named) {
    List<String> names = List.copyOf(named);
    ContingencyTable frame =
        ContingencyTable.of(names.stream().map(one::variable).toList(), Map.of());
    for (long code = 0; code < 1L << names.size(); code++) {
      int[] at = frame.levels(code);
      Map<String, Integer> levels = new HashMap<>();
      for (int i = 0; i < at.length; i++) {
        levels.put(names.get(i), at[i]);
      }
      if (!(Math.abs(one.point(levels) - other.point(levels)) <= Numbers.TOLERANCE)) {
        return false;
      }
    }
    return true;
  }
}
