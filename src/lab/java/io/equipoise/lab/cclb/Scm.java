package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.CclbInstance.TwoContexts;
import io.equipoise.policy.logistic.LogisticRequest;
import io.equipoise.policy.logistic.LogisticRequest.Alternative;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import io.equipoise.policy.logistic.LogisticScale;
import java.util.List;
import java.util.stream.Stream;

/** Defines the instances of the experiments. */
final class Scm {
  static final String BASE = "base";

  /** The base model without people with a = 1. */
  static final String HOMOGENEOUS = "homogeneous";

  /** The base model in which one of 200 has a = 1. */
  static final String RARE_GROUP = "rareGroup";

  /** The two-context model; "-P" or "-Q" is appended for its environment. */
  static final String NON_COVERED = "nonCovered";

  /** The same without the candidate that distinguishes the environments. */
  static final String NO_PROBE = "nonCoveredNoProbe";

  static final double ALPHA = 0.05;
  static final double RHO = 10;

  /** The threshold of all instances. */
  static final double TAU = 0.2;

  /** T, the horizon of the figures. */
  static final int ROUNDS = 10_000;

  private static final int DIMENSION = 4;
  private static final int MIN_FEASIBLE = 12;
  private static final double[] THETA = {-3.7, 1.5, 1.5, 2.5};
  private static final double[] GRID = {
    -6, -5.4, -4.8, -4.2, -3.6, -3, -2.4, -1.8, -1.2, -.6, .6, 1.2, 1.8, 2.4, 3, 3.6, 4.2, 4.8, 5.4,
    6
  };

  private static final EncodedCandidate RISKY =
      candidate(new double[] {1, 0, 0, 0}, new double[] {0, 1, 0, 0});
  private static final EncodedCandidate SAFE = candidate(0, 0, 1, 0);
  private static final EncodedCandidate PROBE = candidate(0, .6, 0, .8);
  private static final EncodedCandidate ANY = candidate(0, 0, 0, 1);

  private Scm() {}

  /**
   * Makes an instance.
   *
   * @param name a constant of this class, and its environment if it has one
   * @param tau threshold, also for the rejection of rounds
   */
  static CclbInstance instance(String name, double tau) {
    return switch (name) {
      case BASE -> base(tau, 0.3, 5);
      case HOMOGENEOUS -> base(tau, 0, 5);
      case RARE_GROUP -> base(tau, 0.005, 5);
      default -> twoContexts(name, tau);
    };
  }

  static BaseInstance base(double tau, double shareOfA, double s) {
    LogisticScale scale = new LogisticScale(DIMENSION, s);
    return new BaseInstance(scale, THETA, tau, shareOfA, GRID, MIN_FEASIBLE);
  }

  static TwoContexts twoContexts(String name, double tau) {
    int candidates = name.startsWith(NO_PROBE) ? 2 : 3;
    double[] theta = {.7, name.endsWith("-P") ? .9 : -.9, .1, -2.2};
    List<Alternative> other = List.of(new Alternative(0, 0, 1, true));
    List<KnownRound> rounds =
        Stream.of(List.of(RISKY, SAFE, PROBE), List.of(ANY, ANY, ANY))
            .map(all -> new LogisticRequest(all.subList(0, candidates), List.of(other), List.of()))
            .map(request -> KnownRound.of(request, theta, tau))
            .toList();
    return new TwoContexts(new LogisticScale(DIMENSION, 3), 0.5, rounds);
  }

  /** Returns a candidate without an effect. */
  private static EncodedCandidate candidate(double... x) {
    return candidate(x, x);
  }

  private static EncodedCandidate candidate(double[] x, double[] other) {
    return CounterfactualFeatures.candidate(x, new double[][][] {{other}});
  }
}
