package io.equipoise.lab.linear;

import io.equipoise.lab.linear.Population.Student;
import io.equipoise.lab.linear.Population.Video;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Generates students and videos like the real ones, for runs without files: the same features,
 * similar frequencies of levels, spouses by sex, popular videos popular in all counts. Only orders
 * between policies are comparable.
 */
final class GeneratedPopulation {
  private static final int STUDENTS = 20_000;
  private static final int VIDEOS = 2_000;
  private static final double MEN = 0.67;
  private static final double RICH = 0.24;

  /** First index of each one-hot attribute; the numbers follow. */
  private static final int WORK = 0;

  private static final int EDUCATION = 9;
  private static final int MARITAL = 25;
  private static final int OCCUPATION = 32;
  private static final int RELATIONSHIP = 47;
  private static final int RACE = 53;
  private static final int SEX = 58;
  private static final int COUNTRY = 60;
  private static final int NUMBERS = 102;

  /** Shares of the first levels; the other levels share the rest evenly. */
  private static final double[] WORK_SHARES = {.7, .08, .06, .06, .04, .03, .03};

  private static final double[] EDUCATION_SHARES = {
    .002, .005, .01, .02, .016, .029, .036, .013, .323, .224, .042, .033, .164, .053, .018, .012
  };
  private static final double[] MARITAL_SHARES = {.46, .33, .14, .03, .03, .01};
  private static final double[] OCCUPATION_SHARES = {
    .13, .13, .125, .115, .11, .1, .06, .06, .05, .04, .03, .03, .02
  };
  private static final double[] RELATIONSHIP_SHARES = {0, 0, .45, .3, .2, .05};
  private static final double[] RACE_SHARES = {.854, .096, .032, .01, .008};
  private static final double[] COUNTRY_SHARES = {.9, .02, .02};
  private static final double[] RATE_SHARES = {.13, .03, .07, .18, .59};

  private final SplittableRandom random;

  private GeneratedPopulation(long seed) {
    random = new SplittableRandom(seed);
  }

  static Population of(long seed) {
    GeneratedPopulation generated = new GeneratedPopulation(seed);
    return new Population(
        Stream.generate(generated::student).limit(STUDENTS).toList(),
        Stream.generate(generated::video).limit(VIDEOS).toList());
  }

  private Student student() {
    double[] features = new double[Population.USER_FEATURES];
    boolean isMale = random.nextDouble() < MEN;
    int number = 1 + level(16, EDUCATION_SHARES);
    int marital = level(7, MARITAL_SHARES);
    int spouse = isMale ? 0 : 1;
    features[WORK + level(9, WORK_SHARES)] = 1;
    features[EDUCATION + number - 1] = 1;
    features[MARITAL + marital] = 1;
    features[OCCUPATION + level(15, OCCUPATION_SHARES)] = 1;
    features[RELATIONSHIP + (marital == 0 ? spouse : level(6, RELATIONSHIP_SHARES))] = 1;
    features[RACE + level(5, RACE_SHARES)] = 1;
    features[SEX + (isMale ? 1 : 0)] = 1;
    features[COUNTRY + level(42, COUNTRY_SHARES)] = 1;
    features[NUMBERS] = (random.nextDouble() + random.nextDouble()) * 0.3;
    features[NUMBERS + 1] = (number - 1) / 15.0;
    features[NUMBERS + 2] = 0.3 + 0.2 * random.nextDouble();
    features[NUMBERS + 3 + (random.nextDouble() < RICH ? 1 : 0)] = 1;
    return new Student(features, isMale, Student.education(number));
  }

  private int level(int levels, double[] shares) {
    double u = random.nextDouble();
    for (int level = 0; level < shares.length; level++) {
      u -= shares[level];
      if (u < 0) {
        return level;
      }
    }
    int rare = levels - shares.length;
    return rare == 0 ? levels - 1 : shares.length + random.nextInt(rare);
  }

  private Video video() {
    int[] bins = new int[Video.LEVELS.length];
    double popularity = random.nextDouble();
    for (int i = 0; i < bins.length; i++) {
      boolean isCount = i > 1;
      double u = isCount ? 0.8 * popularity + 0.2 * random.nextDouble() : random.nextDouble();
      bins[i] = (int) (Video.LEVELS[i] * u);
    }
    bins[Video.RATE] = level(Video.LEVELS[Video.RATE], RATE_SHARES);
    return Video.of(bins);
  }
}
