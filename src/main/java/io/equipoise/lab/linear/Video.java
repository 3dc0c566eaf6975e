package io.equipoise.lab.linear;

/**
 * One video, an arm where it is among those of a trial.
 *
 * @param features one-hot bins of its quantities, {@value Population#VIDEO_FEATURES} in all
 * @param rating as the reward counts it, in [0, 1]
 */
@SuppressWarnings("ArrayRecordComponent") // read only, compared by nobody
record Video(double[] features, double rating) {
  /** Levels of the bins: age, length, views, rate, ratings, comments. */
  static final int[] LEVELS = {4, 4, 4, 5, 4, 4};

  /** Place of the rate among the bins. */
  static final int RATE = 3;

  /** Encodes bins. */
  static Video of(int[] bins) {
    double[] features = new double[Population.VIDEO_FEATURES];
    int from = 0;
    for (int i = 0; i < LEVELS.length; i++) {
      features[from + bins[i]] = 1;
      from += LEVELS[i];
    }
    return new Video(features, bins[RATE] / (LEVELS[RATE] - 1.0));
  }
}
