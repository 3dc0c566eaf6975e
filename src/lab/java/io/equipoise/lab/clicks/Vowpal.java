package io.equipoise.lab.clicks;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Runs Vowpal Wabbit's contextual bandit with a set of arms for each request ({@code
 * cb_explore_adf}).
 *
 * <p>Calls {@code vw-jni} by reflection, so that the distribution contains no native code for a
 * benchmark. This adds some nanoseconds per call; a round of Vowpal Wabbit takes tens of
 * microseconds.
 */
public final class Vowpal implements AutoCloseable {
  private static final String NO_LIBRARY =
      "Vowpal Wabbit: vw-jni is not on the class path; use --vowpal-wabbit";

  private final AutoCloseable learner;
  private final Method predict;
  private final Method learn;
  private final Method actions;
  private final Method action;
  private final Method probability;

  /**
   * Creates a learner without observations.
   *
   * @param arguments of Vowpal Wabbit after {@code --cb_explore_adf}
   * @throws IllegalStateException if {@code vw-jni} cannot be loaded or rejects the arguments
   */
  public Vowpal(ClassLoader loader, String arguments) {
    try {
      Class<?> learners = Class.forName("vowpalWabbit.learner.VWLearners", true, loader);
      learner =
          (AutoCloseable)
              learners
                  .getMethod("create", String.class)
                  .invoke(null, "--cb_explore_adf " + arguments + " --quiet");
      predict = learner.getClass().getMethod("predict", String[].class);
      learn = learner.getClass().getMethod("learn", String[].class);
      // The class that declares the methods is not public.
      predict.setAccessible(true);
      learn.setAccessible(true);
      actions =
          Class.forName("vowpalWabbit.responses.ActionProbs", true, loader)
              .getMethod("getActionProbs");
      Class<?> one = Class.forName("vowpalWabbit.responses.ActionProb", true, loader);
      action = one.getMethod("getAction");
      probability = one.getMethod("getProbability");
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("Vowpal Wabbit: " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(NO_LIBRARY, e);
    }
  }

  /** Returns a loader of a jar of {@code vw-jni}; one loader loads the native library once. */
  public static ClassLoader loader(Path jar) {
    try {
      return new URLClassLoader(new URL[] {jar.toUri().toURL()}, Vowpal.class.getClassLoader());
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(jar + " is no path of a jar", e);
    }
  }

  /**
   * Returns the probability of each arm.
   *
   * @param lines of text input: perhaps a shared one, then one for each arm
   */
  public float[] probabilities(String[] lines, int arms) {
    try {
      Object[] all = (Object[]) actions.invoke(predict.invoke(learner, (Object) lines));
      float[] probabilities = new float[arms];
      for (Object one : all) {
        probabilities[(int) action.invoke(one)] = (float) probability.invoke(one);
      }
      return probabilities;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Vowpal Wabbit failed", e);
    }
  }

  /** Learns from lines of which one has a label. */
  public void learn(String[] lines) {
    try {
      learn.invoke(learner, (Object) lines);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Vowpal Wabbit failed", e);
    }
  }

  @Override
  public void close() {
    try {
      learner.close();
    } catch (Exception e) {
      throw new IllegalStateException("Vowpal Wabbit failed", e);
    }
  }
}
