package io.equipoise.lab.bench;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Provides rounds of a linear bandit, drawn in advance and repeated cyclically: contexts and each
 * arm's reward. Either all arms have the same features, or each has the user's and its own.
 */
final class LinearWorkload {
  private static final double NOISE = 0.1;
  private static final long SEED = 1;

  final String name;
  final int arms;
  final int dimension;
  final double[][][] contexts;
  final double[][] rewards;

  private LinearWorkload(
      String name, int arms, int dimension, double[][][] contexts, SplittableRandom random) {
    this.name = name;
    this.arms = arms;
    this.dimension = dimension;
    this.contexts = contexts;
    rewards = new double[contexts.length][arms];
    double[][] theta = new double[arms][];
    for (int arm = 0; arm < arms; arm++) {
      theta[arm] = random.doubles(dimension, -1, 1).toArray();
    }
    for (int round = 0; round < contexts.length; round++) {
      for (int arm = 0; arm < arms; arm++) {
        double[] x = features(round, arm);
        double mean = 0;
        for (int i = 0; i < dimension; i++) {
          mean += theta[arm][i] * x[i];
        }
        rewards[round][arm] = mean + random.nextGaussian(0, NOISE);
      }
    }
  }

  private static final List<String> NAMES =
      List.of(
          "i: 10 arms x 20 dense",
          "ii: 100 arms x 134, 107 the user's, dense",
          "ii: 100 arms x 134, 107 the user's, one-hot",
          "iii: 10 arms x 4 one-hot features",
          "iii: 10 arms x 4 one-hot attributes of 5 levels");

  static List<String> names(String prefix) {
    return NAMES.stream().filter(name -> name.startsWith(prefix)).toList();
  }

  static LinearWorkload named(String name) {
    return switch (NAMES.indexOf(name)) {
      case 0 -> alike(name, 10, 20, 0, 1_000);
      case 1 -> own(name, false);
      case 2 -> own(name, true);
      case 3 -> alike(name, 10, 4, 4, 1_000);
      case 4 -> alike(name, 10, 20, 5, 1_000);
      default -> throw new IllegalArgumentException("unknown workload " + name);
    };
  }

  private static LinearWorkload alike(
      String name, int arms, int dimension, int levels, int rounds) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[][][] contexts = new double[rounds][1][dimension];
    for (double[][] context : contexts) {
      fill(context[0], 0, dimension, levels, random);
    }
    return new LinearWorkload(name, arms, dimension, contexts, random);
  }

  private static LinearWorkload own(String name, boolean isOneHot) {
    int arms = 100;
    int user = 107;
    int dimension = 134;
    SplittableRandom random = new SplittableRandom(SEED);
    double[][] ofArms = new double[arms][dimension];
    for (double[] arm : ofArms) {
      fill(arm, user, dimension, isOneHot ? 4 : 0, random);
    }
    double[][][] contexts = new double[500][arms][];
    for (double[][] context : contexts) {
      double[] ofUser = new double[dimension];
      fill(ofUser, 0, user, isOneHot ? 9 : 0, random);
      for (int arm = 0; arm < arms; arm++) {
        context[arm] = ofArms[arm].clone();
        System.arraycopy(ofUser, 0, context[arm], 0, user);
      }
    }
    return new LinearWorkload(name, arms, dimension, contexts, random);
  }

  /** Sets one of every {@code levels} features to 1; with 0 levels, all are normal, |x| about 1. */
  private static void fill(double[] x, int from, int to, int levels, SplittableRandom random) {
    for (int i = from; levels == 0 && i < to; i++) {
      x[i] = random.nextGaussian() / Math.sqrt(x.length);
    }
    for (int i = from; levels > 0 && i < to; i += levels) {
      x[i + random.nextInt(Math.min(levels, to - i))] = 1;
    }
  }

  double[] features(int round, int arm) {
    double[][] context = contexts[round];
    return context[context.length == 1 ? 0 : arm];
  }
}
