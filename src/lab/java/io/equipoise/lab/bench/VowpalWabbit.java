package io.equipoise.lab.bench;

import io.equipoise.lab.clicks.Vowpal;
import java.util.Locale;

/**
 * Runs a workload with Vowpal Wabbit's contextual bandits: predicts, takes the most probable arm,
 * and learns its cost, the negated reward. Crossing arm names with features gives each arm its own
 * weights. Input lines are prepared in advance, except for the label.
 */
final class VowpalWabbit {
  private static final int LARGEST_CIRCLE = 200;

  private final LinearWorkload workload;
  private final Vowpal vowpal;
  private final String[][] lines;
  private int played;

  /**
   * Creates a learner without observations.
   *
   * @throws IllegalStateException if {@code vw-jni} is not on the class path
   */
  VowpalWabbit(LinearWorkload workload, String explorer) {
    this.workload = workload;
    vowpal =
        new Vowpal(
            VowpalWabbit.class.getClassLoader(), explorer + " -q ax --ignore_linear x -b 22");
    lines = new String[Math.min(LARGEST_CIRCLE, workload.contexts.length)][workload.arms];
    for (int place = 0; place < lines.length; place++) {
      for (int arm = 0; arm < workload.arms; arm++) {
        lines[place][arm] = "|a arm" + arm + " |x" + features(workload.features(place, arm));
      }
    }
  }

  private static String features(double[] x) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < x.length; i++) {
      if (x[i] != 0) {
        text.append(String.format(Locale.ROOT, " f%d:%.6f", i, x[i]));
      }
    }
    return text.toString();
  }

  /** Runs the next round; returns the chosen arm. */
  int next() {
    int place = played++ % lines.length;
    String[] arms = lines[place];
    float[] probabilities = vowpal.probabilities(arms, arms.length);
    int chosen = 0;
    for (int arm = 1; arm < arms.length; arm++) {
      chosen = probabilities[arm] > probabilities[chosen] ? arm : chosen;
    }
    String line = arms[chosen];
    double cost = -workload.rewards[place][chosen];
    arms[chosen] = "0:" + (float) cost + ":" + probabilities[chosen] + " " + line;
    vowpal.learn(arms);
    arms[chosen] = line;
    return chosen;
  }
}
