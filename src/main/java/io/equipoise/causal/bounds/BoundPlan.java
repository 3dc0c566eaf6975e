package io.equipoise.causal.bounds;

import io.equipoise.causal.estimand.Estimand;
import io.equipoise.causal.estimand.ObservedValues;
import io.equipoise.causal.estimand.Probability;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/**
 * Plans a query's bounds from a graph without data. Immutable, equal by value.
 *
 * @param graphHash fingerprint of the graph
 * @param query the bounded quantity
 * @param mode which kind of bounds
 * @param parts bounds whose intersection is the result; at least one
 */
public record BoundPlan(String graphHash, BoundQuery query, BoundMode mode, List<BoundPart> parts) {
  public BoundPlan {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("the plan has no parts");
    }
  }

  /**
   * Returns the tables to count. In addition, an evaluation needs the levels of the query's
   * variables and of {@link #variables}.
   */
  public List<Scope> scopes() {
    List<Scope> scopes = new ArrayList<>();
    for (BoundPart part : parts) {
      SortedSet<String> selected = new TreeSet<>();
      for (Probability probability : probabilities(part.formula())) {
        if (probability.isSelected()) {
          selected.addAll(probability.free());
        } else {
          scopes.add(new Scope(probability.free(), false));
        }
      }
      if (!selected.isEmpty()) {
        scopes.add(new Scope(selected, true));
      }
    }
    return Scope.largest(scopes);
  }

  /** Returns every variable whose levels an evaluation needs, by name. */
  public SortedSet<String> variables() {
    SortedSet<String> variables = new TreeSet<>(query.arm());
    variables.addAll(query.context());
    variables.add(query.outcome());
    for (BoundPart part : parts) {
      variables.addAll(part.w());
      probabilities(part.formula()).forEach(it -> variables.addAll(it.free()));
    }
    return variables;
  }

  /**
   * Computes the bounds, one record for each joint level of arm (slowest) and context, the first
   * variable slowest. The evidence must have a table for every scope.
   */
  public List<BoundRecord> evaluate(ObservedValues observedValues, Confidence confidence) {
    return evaluate(observedValues, confidence, CellRules.COUNTS);
  }

  /** Computes the bounds with other cells than counts of rows. */
  public List<BoundRecord> evaluate(
      ObservedValues observedValues, Confidence confidence, CellRules rules) {
    return new PlanEvaluation(this, observedValues, confidence, rules).records();
  }

  /** Returns the formula as text, that which variables of any size have. */
  public String toText() {
    return toText(name -> Integer.MAX_VALUE);
  }

  /** Returns the formula as text, that which variables of these sizes have. */
  String toText(ToIntFunction<String> sizes) {
    return parts.stream()
        .map(part -> part.formula().toText(sizes))
        .reduce((one, other) -> one + " ∩ " + other)
        .orElseThrow();
  }

  /** Returns every probability that the bounds use, by its text. */
  public List<Probability> probabilities() {
    return parts.stream().flatMap(part -> probabilities(part.formula()).stream()).toList();
  }

  private static List<Probability> probabilities(BoundFormula formula) {
    Set<Probability> found = new HashSet<>();
    collect(formula, found);
    return found.stream().sorted(Comparator.comparing(Estimand::toText)).toList();
  }

  private static void collect(BoundFormula formula, Set<Probability> found) {
    if (formula instanceof BoundFormula.Value value) {
      collect(value.estimand(), found);
    } else if (formula instanceof BoundFormula.Average average) {
      collect(average.weights(), found);
      collect(average.inner(), found);
    } else if (formula instanceof BoundFormula.Extremes extremes) {
      collect(extremes.inner(), found);
    } else if (formula instanceof BoundFormula.Scaled scaled) {
      collect(scaled.factor(), found);
      collect(scaled.inner(), found);
    } else if (formula instanceof BoundFormula.NoAssumption floor) {
      collect(floor.joint(), found);
    }
  }

  private static void collect(Estimand estimand, Set<Probability> found) {
    found.addAll(estimand.probabilities());
  }
}
