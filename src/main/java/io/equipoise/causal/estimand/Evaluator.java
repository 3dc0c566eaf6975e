package io.equipoise.causal.estimand;

import io.equipoise.causal.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Computes an estimand on tables.
 *
 * <p>Every sub-formula is computed once for each value of its free variables, so the cost is
 * O(nodes * joint levels of free and bound variables). A conditional probability without rows has
 * no value, nor has any formula that uses it. Sums run in a fixed order: equal queries return equal
 * bits. An evaluator caches its values and is not thread-safe.
 *
 * <p>The estimand may depend on variables that the query does not name. In the population the value
 * is the same for all their levels, but not on data. They are averaged out over every value with
 * rows, by the share of rows. {@code spread} is the difference between the values; a large one
 * indicates that the graph does not fit the data.
 */
public final class Evaluator {
  private final Estimand estimand;
  private final ObservedValues observedValues;
  private final CompiledEstimand compiled;

  public Evaluator(Estimand estimand, ObservedValues observedValues) {
    this(estimand, observedValues, CellRule.SHARE);
  }

  public Evaluator(Estimand estimand, ObservedValues observedValues, CellRule rule) {
    this.estimand = estimand;
    this.observedValues = observedValues;
    this.compiled = new CompiledEstimand(estimand, observedValues, rule);
  }

  /**
   * The value of an estimand.
   *
   * @param estimate its value; unsupported if it has none
   * @param spread the largest difference between its values over unnamed variables; 0 if there are
   *     none
   */
  public record Value(Estimate estimate, double spread) {}

  /** Returns the value at the given levels; further variables may be named. */
  public Value at(Map<String, Integer> levels) {
    List<String> surplus = new ArrayList<>();
    for (String name : estimand.free()) {
      Integer level = levels.get(name);
      if (level == null) {
        surplus.add(name);
      } else {
        compiled.set(name, level);
      }
    }
    return surplus.isEmpty() ? new Value(compiled.value(), 0) : averaged(surplus);
  }

  /** Returns the share k / n as a number; NaN if there is none. */
  public double point(Map<String, Integer> levels) {
    return at(levels).estimate().low();
  }

  private Value averaged(List<String> surplus) {
    ContingencyTable weights =
        observedValues
            .find(surplus, true)
            .orElseGet(() -> observedValues.require(surplus, false))
            .marginal(surplus);
    double low = 0;
    double high = 0;
    double support = Double.POSITIVE_INFINITY;
    double total = 0;
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (long code : weights.codes()) {
      int[] at = weights.levels(code);
      for (int i = 0; i < at.length; i++) {
        compiled.set(surplus.get(i), at[i]);
      }
      Estimate value = compiled.value();
      if (value.isSupported()) {
        double weight = weights.weight(code);
        total += weight;
        low += weight * value.low();
        high += weight * value.high();
        support = Math.min(support, value.support());
        least = Math.min(least, value.low());
        greatest = Math.max(greatest, value.low());
      }
    }
    return total > 0
        ? new Value(new Estimate(low / total, high / total, support), greatest - least)
        : new Value(Estimate.UNSUPPORTED, 0);
  }

  /** Returns the levels of a variable of the evidence. */
  public Variable variable(String name) {
    return observedValues.variable(name);
  }
}
