package io.equipoise.causal.bounds;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.estimand.CellRule;
import io.equipoise.causal.estimand.Estimand;
import io.equipoise.causal.estimand.Evaluator;
import io.equipoise.causal.estimand.ObservedValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Computes bound formulas at given levels. Keeps one caching evaluator per estimand, which is valid
 * for ever, since the data stay. For one thread.
 */
final class FormulaEvaluation {
  private final ObservedValues observedValues;
  private final CellRule rule;
  private final boolean isStrict;
  private final Map<Estimand, Evaluator> evaluators = new HashMap<>();

  /**
   * If {@code isStrict}, a probability without rows is an error; otherwise it ranges from 0 to 1.
   */
  FormulaEvaluation(ObservedValues observedValues, CellRule rule, boolean isStrict) {
    this.observedValues = observedValues;
    this.rule = rule;
    this.isStrict = isStrict;
  }

  Range range(BoundFormula formula, Map<String, Integer> levels) {
    if (formula instanceof BoundFormula.Value value) {
      return range(value.estimand(), levels);
    }
    if (formula instanceof BoundFormula.Extremes extremes) {
      Range[] inner = inner(extremes.variable(), extremes.inner(), levels);
      return extremes(inner);
    }
    if (formula instanceof BoundFormula.Average average) {
      return average(average, levels);
    }
    if (formula instanceof BoundFormula.Scaled scaled) {
      Range inner = range(scaled.inner(), levels);
      Evaluator.Value factor = value(scaled.factor(), levels);
      if (!factor.estimate().isSupported()) {
        return unsupported(scaled.factor(), levels);
      }
      double low = Math.min(1, inner.low() * factor.estimate().low());
      double high = Math.min(1, inner.high() * factor.estimate().high());
      return inner.with(low, high, Range.of(factor.estimate(), factor.spread()));
    }
    if (formula instanceof BoundFormula.NoAssumption floor) {
      return new FloorEvaluation(floor).range(levels);
    }
    return Range.VACUOUS;
  }

  private Range range(Estimand estimand, Map<String, Integer> levels) {
    Evaluator.Value value = value(estimand, levels);
    return value.estimate().isSupported()
        ? Range.of(value.estimate(), value.spread())
        : unsupported(estimand, levels);
  }

  private Range unsupported(Estimand estimand, Map<String, Integer> levels) {
    if (isStrict) {
      throw new DistributionException(
          estimand.toText() + " has no rows at " + new TreeMap<>(levels));
    }
    return Range.UNSUPPORTED;
  }

  private Evaluator.Value value(Estimand estimand, Map<String, Integer> levels) {
    return evaluators
        .computeIfAbsent(estimand, it -> new Evaluator(it, observedValues, rule))
        .at(levels);
  }

  private Range[] inner(String variable, BoundFormula inner, Map<String, Integer> levels) {
    Range[] ranges = new Range[observedValues.variable(variable).size()];
    for (int level = 0; level < ranges.length; level++) {
      ranges[level] = range(inner, at(levels, variable, level));
    }
    return ranges;
  }

  private static Map<String, Integer> at(Map<String, Integer> levels, String variable, int level) {
    Map<String, Integer> at = new HashMap<>(levels);
    at.put(variable, level);
    return at;
  }

  private static Range extremes(Range[] inner) {
    Range all = inner[0];
    for (int level = 1; level < inner.length; level++) {
      double low = Math.min(all.low(), inner[level].low());
      double high = Math.max(all.high(), inner[level].high());
      all = all.with(low, high, inner[level]);
    }
    return all;
  }

  /** Weights without rows are arbitrary, so the mean ranges between the extremes. */
  private Range average(BoundFormula.Average average, Map<String, Integer> levels) {
    Range[] inner = inner(average.variable(), average.inner(), levels);
    Range[] weights = new Range[inner.length];
    Range all = extremes(inner);
    for (int level = 0; level < inner.length; level++) {
      weights[level] = range(average.weights(), at(levels, average.variable(), level));
      all = all.with(all.low(), all.high(), weights[level]);
    }
    double low = Math.max(all.low(), Mixture.least(weights, inner));
    double high = Math.min(all.high(), Mixture.greatest(weights, inner));
    return all.with(low, high, all);
  }

  /** Intersects the bounds of all levels of the instruments that have rows. */
  private final class FloorEvaluation {
    private final BoundFormula.NoAssumption floor;
    private final int outcomes;

    /** Carries the counted shares of one arm at one level of the instruments. */
    private record Shares(Range hit, Range miss) {}

    FloorEvaluation(BoundFormula.NoAssumption floor) {
      this.floor = floor;
      outcomes = observedValues.variable(floor.outcome()).size();
    }

    Range range(Map<String, Integer> levels) {
      List<Shares> own = new ArrayList<>();
      List<Shares> other = new ArrayList<>();
      String first = floor.arm().get(0);
      boolean isPaired = floor.isPaired(name -> observedValues.variable(name).size());
      for (Map<String, Integer> z : instrumentLevels(levels)) {
        Shares shares = shares(z);
        Shares others = isPaired ? shares(at(z, first, 1 - levels.get(first))) : shares;
        if (shares.hit.isSupported() && shares.miss.isSupported()) {
          own.add(shares);
          other.add(others);
        }
      }
      Range all = own.isEmpty() ? Range.UNSUPPORTED : Range.VACUOUS;
      for (int i = 0; i < own.size(); i++) {
        Range hit = own.get(i).hit;
        Range miss = own.get(i).miss;
        all = tightened(all, hit.low(), 1 - miss.low(), hit.with(0, 0, miss));
        for (int j = 0; isPaired && j < own.size(); j++) {
          if (i != j) {
            // y under both arms is possible in j, y under this arm alone in i; likewise of not y.
            double most = hit.high() + other.get(i).miss.high();
            double mostMissed = miss.high() + other.get(i).hit.high();
            most += own.get(j).hit.high() + other.get(j).hit.high();
            mostMissed += own.get(j).miss.high() + other.get(j).miss.high();
            all = tightened(all, 1 - mostMissed, most, all);
          }
        }
      }
      return all;
    }

    private static Range tightened(Range all, double low, double high, Range known) {
      return all.with(Math.max(all.low(), low), Math.min(all.high(), high), known);
    }

    /** Returns the shares of y and of all other outcomes among all rows. */
    private Shares shares(Map<String, Integer> levels) {
      int hit = levels.get(floor.outcome());
      Range miss = new Range(0, 0, Double.POSITIVE_INFINITY, 0, true);
      for (int y = 0; y < outcomes; y++) {
        if (y != hit) {
          Range one = FormulaEvaluation.this.range(floor.joint(), at(levels, floor.outcome(), y));
          miss = miss.with(miss.low() + one.low(), miss.high() + one.high(), one);
        }
      }
      return new Shares(FormulaEvaluation.this.range(floor.joint(), levels), miss);
    }

    private List<Map<String, Integer>> instrumentLevels(Map<String, Integer> levels) {
      List<Map<String, Integer>> all = List.of(levels);
      for (String name : floor.instruments()) {
        List<Map<String, Integer>> more = new ArrayList<>();
        for (Map<String, Integer> one : all) {
          for (int level = 0; level < observedValues.variable(name).size(); level++) {
            more.add(at(one, name, level));
          }
        }
        all = more;
      }
      return all;
    }
  }
}
