package io.equipoise.lab.linear;

import java.util.List;

/** Provides the students and videos that trials are drawn from, in a fixed order. */
record Population(List<Student> students, List<Video> videos) {
  /** 102 one-hot levels, 3 scaled numbers, 2 levels of income. */
  static final int USER_FEATURES = 107;

  static final int VIDEO_FEATURES = 25;

  /**
   * One user.
   *
   * @param features one-hot and scaled attributes, {@value Population#USER_FEATURES} in all
   * @param education level of education in the reward, in [0, 1]
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Student(double[] features, boolean isMale, double education) {
    /** Maps levels 1-3, 4-6, 7-9, 10-12 and 13-16 of education-num to 0, .25, .5, .75 and 1. */
    static double education(int number) {
      return Math.min(4, (number - 1) / 3) / 4.0;
    }
  }

  /**
   * One video, an arm of the trials that draw it.
   *
   * @param features one-hot bins of its quantities, {@value Population#VIDEO_FEATURES} in all
   * @param rating rating in the reward, in [0, 1]
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Video(double[] features, double rating) {
    /** Levels of the bins: age, length, views, rate, ratings, comments. */
    static final int[] LEVELS = {4, 4, 4, 5, 4, 4};

    /** Index of the rate among the bins. */
    static final int RATE = 3;

    static Video of(int[] bins) {
      double[] features = new double[VIDEO_FEATURES];
      int from = 0;
      for (int i = 0; i < LEVELS.length; i++) {
        features[from + bins[i]] = 1;
        from += LEVELS[i];
      }
      return new Video(features, bins[RATE] / (LEVELS[RATE] - 1.0));
    }
  }
}
