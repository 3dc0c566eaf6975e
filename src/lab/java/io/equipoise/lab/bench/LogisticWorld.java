package io.equipoise.lab.bench;

import io.equipoise.lab.cclb.CclbFeatureMap;
import io.equipoise.lab.cclb.CounterfactualFeatures;
import io.equipoise.policy.logistic.Logistic;
import io.equipoise.policy.logistic.LogisticRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Generates people, candidates and binary rewards. Of the n features, the first is the sensitive
 * attribute and the last is the candidate's. All instances produce the same people in the same
 * order.
 */
final class LogisticWorld {
  private static final int REQUESTS = 256;
  private static final long SEED = 20_250_719;

  final int n;
  private final List<LogisticRequest> requests = new ArrayList<>();
  private final double[] truth;
  private final SplittableRandom random = new SplittableRandom(SEED);

  LogisticWorld(int n, int candidates) {
    this.n = n;
    truth = random.doubles(n, -1, 1).toArray();
    CounterfactualFeatures features =
        new CounterfactualFeatures(new Features(n).normalized(), new int[] {2}, new int[][] {{0}});
    List<double[]> decisions = new ArrayList<>();
    for (int i = 0; i < candidates; i++) {
      decisions.add(new double[] {6.0 * (i - candidates / 2 + 0.5) / candidates});
    }
    for (int i = 0; i < REQUESTS; i++) {
      double[] context = random.doubles(n - 2, 0, 1).toArray();
      requests.add(features.request(new int[] {random.nextInt(2)}, context, decisions));
    }
  }

  private record Features(int dimension) implements CclbFeatureMap {
    @Override
    public void write(int[] sensitive, double[] context, double[] decision, double[] out) {
      out[0] = sensitive[0];
      System.arraycopy(context, 0, out, 1, context.length);
      out[out.length - 1] = decision[0];
    }
  }

  /** Returns the next person's request. */
  LogisticRequest next() {
    return requests.get(random.nextInt(REQUESTS));
  }

  /** Returns the reward of a candidate with these features, 0 or 1. */
  double reward(double[] x) {
    double z = 0;
    for (int i = 0; i < n; i++) {
      z += truth[i] * x[i];
    }
    return random.nextDouble() < Logistic.mean(2 * z) ? 1 : 0;
  }
}
