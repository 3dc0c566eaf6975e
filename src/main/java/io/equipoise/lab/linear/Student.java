package io.equipoise.lab.linear;

/**
 * One user.
 *
 * @param features one-hot and scaled attributes, {@value Population#USER_FEATURES} in all
 * @param education level of education as the reward counts it, in [0, 1]
 */
@SuppressWarnings("ArrayRecordComponent") // read only, compared by nobody
record Student(double[] features, boolean isMale, double education) {
  /** Levels 1-3, 4-6, 7-9, 10-12 and 13-16 of UCI's education-num count 0, .25, .5, .75 and 1. */
  static double education(int number) {
    return Math.min(4, (number - 1) / 3) / 4.0;
  }
}
