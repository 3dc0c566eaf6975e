package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.Scan;

/**
 * Picks the eligible place with the greatest score; within {@link Scan#TIE} of it, the lowest
 * place.
 */
final class Argmax {
  private Argmax() {}

  /** Returns the place, or -1 if none is eligible. */
  static int of(double[] score, boolean[] isEligible, int size) {
    double greatest = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < size; place++) {
      if (isEligible[place] && score[place] > greatest) {
        greatest = score[place];
      }
    }
    for (int place = 0; place < size; place++) {
      if (isEligible[place] && score[place] >= greatest - Scan.TIE) {
        return place;
      }
    }
    return LinearRound.NONE;
  }
}
