package io.equipoise.lab.bench;

import java.lang.reflect.Method;
import java.util.Locale;

/**
 * Runs a workload with Vowpal Wabbit's contextual bandits: predicts, takes the most probable arm,
 * and learns its cost, the negated reward. Crossing arm names with features gives each arm its own
 * weights. Input lines are prepared in advance, except for the label.
 *
 * <p>Calls {@code vw-jni} by reflection, so that the distribution contains no native code for one
 * benchmark. This adds some nanoseconds per call; a round of Vowpal Wabbit takes tens of
 * microseconds.
 */
final class VowpalWabbit {
  private static final int LARGEST_CIRCLE = 200;

  private final LinearWorkload workload;
  private final Object learner;
  private final Method predict;
  private final Method learn;
  private final Method actions;
  private final Method action;
  private final Method probability;
  private final String[][] lines;
  private int played;

  /**
   * Creates a learner without observations.
   *
   * @throws IllegalStateException if {@code vw-jni} is not on the class path
   */
  VowpalWabbit(LinearWorkload workload, String explorer) {
    this.workload = workload;
    try {
      Class<?> learners = Class.forName("vowpalWabbit.learner.VWLearners");
      learner =
          learners
              .getMethod("create", String.class)
              .invoke(
                  null, "--cb_explore_adf " + explorer + " -q ax --ignore_linear x -b 22 --quiet");
      predict = learner.getClass().getMethod("predict", String[].class);
      learn = learner.getClass().getMethod("learn", String[].class);
      // The class that declares the methods is not public.
      predict.setAccessible(true);
      learn.setAccessible(true);
      actions = Class.forName("vowpalWabbit.responses.ActionProbs").getMethod("getActionProbs");
      Class<?> one = Class.forName("vowpalWabbit.responses.ActionProb");
      action = one.getMethod("getAction");
      probability = one.getMethod("getProbability");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "Vowpal Wabbit: vw-jni is not on the class path; use --vowpal-wabbit", e);
    }
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
    try {
      Object likeliest = likeliest(predict.invoke(learner, (Object) arms));
      int chosen = (int) action.invoke(likeliest);
      String line = arms[chosen];
      double cost = -workload.rewards[place][chosen];
      arms[chosen] = "0:" + (float) cost + ":" + probability.invoke(likeliest) + " " + line;
      learn.invoke(learner, (Object) arms);
      arms[chosen] = line;
      return chosen;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Vowpal Wabbit failed", e);
    }
  }

  private Object likeliest(Object probabilities) throws ReflectiveOperationException {
    Object[] all = (Object[]) actions.invoke(probabilities);
    Object likeliest = all[0];
    for (Object one : all) {
      likeliest =
          (float) probability.invoke(one) > (float) probability.invoke(likeliest) ? one : likeliest;
    }
    return likeliest;
  }
}
