package io.equipoise.lab.pcb;

import io.equipoise.causal.estimand.Estimand;
import io.equipoise.causal.estimand.Evaluator;
import io.equipoise.causal.estimand.ObservedValues;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the paper's baseline estimates of E[Y | do(x), u], and the column "Truth" of its Table
 * 1.
 */
enum PointEstimates {
  /** P(y | x1, x2, u1, u2, S=1): adjusts for confounding, but not for selection. */
  CP(estimand(true, "X1", "X2", "U1", "U2"), true),
  /** The column of Table 1: P(y | x1, x2, S=1) times {@link #factor}. */
  BIASED(estimand(true, "X1", "X2").times(factor(true)), true),
  /** Equation 2 as printed: sum over u1 of P(y | x1, x2, u1, S=1) P(u1 | S=1). */
  BIASED_ADJUSTED(estimand(true, "X1", "X2", "U1").times(share("U1")).summed(List.of("U1")), true),
  /** The column "Truth" of Table 1: P(y | x1, x2) times {@link #factor}, on all rows. */
  PRINTED_TRUTH(estimand(false, "X1", "X2").times(factor(false)), false);

  @SuppressWarnings("ImmutableEnumChecker") // an estimand only caches its hash
  private final Estimand estimand;

  private final boolean isOfSelected;

  PointEstimates(Estimand estimand, boolean isOfSelected) {
    this.estimand = estimand;
    this.isOfSelected = isOfSelected;
  }

  /** Returns the estimates by place; 0.5 without rows. */
  double[] of(LoggedRounds log) {
    ObservedValues observedValues =
        isOfSelected ? log.evidence() : ObservedValues.unselected(log.everyone());
    Evaluator evaluator = new Evaluator(estimand, observedValues);
    double[] estimates = new double[PcbPlace.PLACES];
    Arrays.setAll(
        estimates,
        place -> {
          double point = evaluator.point(with(place));
          return Double.isNaN(point) ? 0.5 : point;
        });
    return estimates;
  }

  private static Map<String, Integer> with(int place) {
    Map<String, Integer> levels = new HashMap<>(PcbPlace.levels(place));
    levels.put("Y", 1);
    return levels;
  }

  private static Estimand estimand(boolean isSelected, String... given) {
    return Estimand.probability(List.of("Y"), List.of(given), isSelected);
  }

  private static Estimand share(String name) {
    return Estimand.probability(List.of(name), List.of(), true);
  }

  /** P(u1) P(u2) / P(u1, u2), which is 1 in the population. */
  private static Estimand factor(boolean isSelected) {
    return Estimand.probability(List.of("U1"), List.of(), isSelected)
        .times(Estimand.probability(List.of("U2"), List.of(), isSelected))
        .over(Estimand.probability(List.of("U1", "U2"), List.of(), isSelected));
  }
}
