package io.equipoise.local.bench;

import io.equipoise.bandit.logistic.CounterfactualFeatures;
import io.equipoise.bandit.logistic.FeatureMap;
import io.equipoise.bandit.logistic.Logistic;
import io.equipoise.bandit.logistic.LogisticChoice;
import io.equipoise.bandit.logistic.LogisticPolicy;
import io.equipoise.bandit.logistic.LogisticPolicyName;
import io.equipoise.bandit.logistic.LogisticRequest;
import io.equipoise.bandit.logistic.LogisticScale;
import io.equipoise.bandit.logistic.LogisticState;
import io.equipoise.bandit.logistic.PolicyParameters;
import io.equipoise.bandit.logistic.StreamingModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Decides, audits and learns with the streaming logistic model for many rounds, and measures bytes
 * of state and time a round in windows of equal length: both should stay flat.
 */
final class LogisticBench {
  private static final int CANDIDATES = 20;
  private static final int REQUESTS = 256;
  private static final double NORM = 5;
  private static final double TAU = 0.2;
  private static final double ALPHA = 0.05;
  private static final int SLICE = 500;
  private static final long SEED = 20_250_719;

  private final int n;
  private final LogisticPolicy policy;
  private final LogisticState state;
  private final List<LogisticRequest> requests = new ArrayList<>();
  private final double[] truth;
  private final SplittableRandom random = new SplittableRandom(SEED);

  /**
   * Prepares requests with features of n places: the first the sensitive attribute, the last the
   * candidate's.
   */
  LogisticBench(LogisticPolicyName name, int n) {
    this.n = n;
    policy = new LogisticPolicy(PolicyParameters.defaults(name, ALPHA, List.of(TAU)));
    state = policy.start(new StreamingModel(new LogisticScale(n, NORM)));
    truth = random.doubles(n, -1, 1).toArray();
    CounterfactualFeatures features =
        new CounterfactualFeatures(new Features(n).normalised(), new int[] {2}, new int[][] {{0}});
    List<double[]> decisions = new ArrayList<>();
    for (int i = 0; i < CANDIDATES; i++) {
      decisions.add(new double[] {6.0 * (i - CANDIDATES / 2 + 0.5) / CANDIDATES});
    }
    for (int i = 0; i < REQUESTS; i++) {
      double[] context = random.doubles(n - 2, 0, 1).toArray();
      requests.add(features.request(new int[] {random.nextInt(2)}, context, decisions));
    }
  }

  private record Features(int dimension) implements FeatureMap {
    @Override
    public void write(int[] sensitive, double[] context, double[] decision, double[] out) {
      out[0] = sensitive[0];
      System.arraycopy(context, 0, out, 1, context.length);
      out[out.length - 1] = decision[0];
    }
  }

  /** Runs so many rounds in so many windows. */
  Map<String, Object> run(long rounds, int windows) {
    List<Map<String, Object>> measured = new ArrayList<>();
    for (int window = 1; window <= windows; window++) {
      long until = rounds * window / windows;
      double micros = window(until);
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("rounds", until);
      row.put("medianMicrosPerRound", micros);
      row.put("stateBytes", state.byteLength());
      row.put("heapBytesAfterCollection", heap());
      measured.add(row);
    }
    double[] micros =
        measured.stream()
            .skip(windows > 1 ? 1 : 0)
            .mapToDouble(row -> (double) row.get("medianMicrosPerRound"))
            .toArray();
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("policy", policy.parameters().name().wire());
    report.put("estimator", "STREAMING");
    report.put("dimension", n);
    report.put("candidates", CANDIDATES);
    report.put("rounds", state.duals().decisions());
    report.put("lastOverSecondWindow", micros[micros.length - 1] / micros[0]);
    report.put("windows", measured);
    return report;
  }

  /** Plays until a round, and returns the median over slices of the time a round takes. */
  private double window(long until) {
    List<Double> slices = new ArrayList<>();
    while (state.duals().decisions() < until) {
      long slice = Math.min(SLICE, until - state.duals().decisions());
      long before = System.nanoTime();
      for (int i = 0; i < slice; i++) {
        round();
      }
      slices.add((System.nanoTime() - before) / 1e3 / slice);
    }
    double[] sorted = slices.stream().mapToDouble(slice -> slice).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }

  private void round() {
    LogisticRequest request = requests.get(random.nextInt(REQUESTS));
    LogisticChoice choice = policy.choose(state, request, 0);
    policy.audit(state, request, choice);
    policy.commit(state, request, choice);
    double[] x = request.candidates().get(choice.candidate()).x();
    double z = 0;
    for (int i = 0; i < n; i++) {
      z += truth[i] * x[i];
    }
    state.model().learn(x, random.nextDouble() < Logistic.mean(2 * z) ? 1 : 0);
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Says whether state and parameters are finite. */
  boolean isFinite() {
    return Arrays.stream(state.model().estimate().parameter()).allMatch(Double::isFinite);
  }
}
