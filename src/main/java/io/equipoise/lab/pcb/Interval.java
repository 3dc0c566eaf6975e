package io.equipoise.lab.pcb;

/** Bounds of one mean reward. */
record Interval(double lower, double upper) {
  double width() {
    return upper - lower;
  }

  boolean holds(double value) {
    return lower <= value && value <= upper;
  }
}
