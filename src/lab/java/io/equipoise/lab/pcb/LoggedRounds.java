package io.equipoise.lab.pcb;

import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.ObservedValues;
import java.util.List;

/**
 * Counts the rows of a log with and without selection.
 *
 * @param selected the rows with S = 1, over U1, U2, X1, X2, I1 and Y
 * @param everyone all rows; only the paper's "Truth" and a census of U1 use them
 */
record LoggedRounds(ContingencyTable selected, ContingencyTable everyone) {
  private static final List<String> PLACE = List.of("X1", "X2", "U1", "U2");

  ObservedValues evidence() {
    return ObservedValues.selected(selected);
  }

  /** Returns the selected rows, and how U1 is distributed among all. */
  ObservedValues withCensus() {
    return evidence().withUnselected(everyone.marginal(List.of("U1")));
  }

  /** Returns how many selected rows there are at each place. */
  double[] counts() {
    ContingencyTable places = selected.marginal(PLACE);
    double[] counts = new double[PcbPlace.PLACES];
    for (int place = 0; place < counts.length; place++) {
      counts[place] = places.weight(place);
    }
    return counts;
  }
}
