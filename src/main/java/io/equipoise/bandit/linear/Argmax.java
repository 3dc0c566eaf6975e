package io.equipoise.bandit.linear;

/** Picks the eligible place with the greatest score; within 1e-9 of it, the lowest place. */
final class Argmax {
  static final double TOLERANCE = 1e-9;

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
      if (isEligible[place] && score[place] >= greatest - TOLERANCE) {
        return place;
      }
    }
    return LinearRound.NONE;
  }
}
