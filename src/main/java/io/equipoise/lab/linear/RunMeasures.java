package io.equipoise.lab.linear;

/**
 * What one run of a trial came to, over the test phase.
 *
 * @param loss mean of the best video's reward minus the reward
 * @param male mean reward of men
 * @param female mean reward of women
 * @param arms the first 20 videos that were recommended
 * @param maleCurve mean reward of men so far in the phase, after every {@value #STEP} rounds
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record RunMeasures(
    double loss, double male, double female, int[] arms, double[] maleCurve, double[] femaleCurve) {
  static final int STEP = 25;

  /** Returns the reward difference. */
  double gap() {
    return Math.abs(male - female);
  }
}
