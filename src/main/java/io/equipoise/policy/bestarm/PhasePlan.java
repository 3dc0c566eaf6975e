package io.equipoise.policy.bestarm;

import java.util.ArrayList;
import java.util.List;

/**
 * How T samples are divided among phases: n(T) = ceil(log2(10 sqrt T)) of them, tau(l) = T / (l
 * H_n), rounded so that they sum to T.
 *
 * <p>Gao and Feng 2021, section 4.1; the printed forms lack the base 2 and the 1/l, which the
 * proofs need.
 */
public final class PhasePlan {
  private PhasePlan() {}

  /** Returns the phases of a search with T samples; both stages of a two-stage search have half. */
  public static List<Phase> of(Algorithm algorithm, int samples) {
    List<Phase> phases = new ArrayList<>();
    if (algorithm.isTwoStage()) {
      add(SearchStage.FAIRNESS, samples / 2, phases);
      add(SearchStage.REWARD, samples - samples / 2, phases);
    } else {
      add(SearchStage.JOINT, samples, phases);
    }
    return List.copyOf(phases);
  }

  /** Returns n(T), exactly: the least n with 4^n >= 100 T. T is at least 1. */
  public static int phases(int samples) {
    int n = 0;
    while ((1L << (2 * n)) < 100L * samples) {
      n++;
    }
    return n;
  }

  private static void add(SearchStage searchStage, int samples, List<Phase> phases) {
    int n = phases(samples);
    double harmonic = 0;
    for (int i = 1; i <= n; i++) {
      harmonic += 1.0 / i;
    }
    double passed = 0;
    int before = 0;
    for (int l = 1; l <= n; l++) {
      passed += samples / (l * harmonic);
      int until = l == n ? samples : (int) Math.ceil(passed - 0.5);
      phases.add(new Phase(phases.size(), searchStage, l, until - before));
      before = until;
    }
  }
}
