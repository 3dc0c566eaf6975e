package io.equipoise.policy.bestarm;

import io.equipoise.policy.bestarm.Divergences.DivergenceTables;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Fixes a search before its first sample: model, algorithm, mode, budget and bound, with all that
 * follows from them and is the same in every phase. Immutable; safe for use by many threads.
 */
public final class Design {
  private final CsrModel model;
  private final Settings settings;
  private final Costs costs;
  private final List<Phase> plan;
  final Estimator estimator;
  private final Allocator allocator;
  private final Search search;

  /**
   * Carries the settings that a person chooses.
   *
   * @param samples T, at least 1
   * @param bound E: an arm is fair if both effects are within it
   * @param delta how likely a certificate may be wrong; no choice of an arm depends on it
   */
  public record Settings(
      Algorithm algorithm,
      Mode mode,
      FairnessEstimate fairness,
      int samples,
      double bound,
      double delta) {}

  /**
   * Makes a search ready.
   *
   * @throws IllegalArgumentException if it could find nothing, whatever the samples say
   */
  public Design(CsrModel model, Settings settings, Costs costs) {
    this.model = model;
    this.settings = settings;
    this.costs = costs;
    requireSense();
    plan = PhasePlan.of(settings.algorithm(), settings.samples());
    DivergenceTables divergenceTables = DivergenceTables.of(model, settings.fairness());
    estimator = new Estimator(model, settings.mode(), settings.fairness(), divergenceTables);
    allocator = new Allocator(model, divergenceTables, costs, settings.mode());
    search = new Search(plan, settings.bound());
  }

  private void requireSense() {
    if (costs.arms() != model.arms()) {
      throw new IllegalArgumentException(
          costs.arms() + " arms have costs, " + model.arms() + " have tables");
    }
    int samples = settings.samples();
    if (samples < 1) {
      throw new IllegalArgumentException("T must be at least 1, not " + samples);
    }
    if (!(settings.bound() > 0)) {
      throw new IllegalArgumentException("E must be above 0, not " + settings.bound());
    }
    if (!(settings.delta() > 0 && settings.delta() < 1)) {
      throw new IllegalArgumentException("delta must be in (0, 1), not " + settings.delta());
    }
    int n = PhasePlan.phases(samples);
    double finest = 3 * Math.scalb(1.0, -n);
    if (!settings.algorithm().isTwoStage() && finest >= settings.bound()) {
      throw new IllegalArgumentException(
          String.format(
              "no arm can be certified: T = %d has n = %d phases, and 3/2^n = %s is not below E ="
                  + " %s; take E above it, or T of at least %d",
              samples, n, finest, settings.bound(), leastSamples(settings.bound())));
    }
  }

  /** Returns the least T whose last phase can pass an arm: 100 T > 4^(n-1) for the least n. */
  private static long leastSamples(double bound) {
    int n = 1;
    while (3 * Math.scalb(1.0, -n) >= bound) {
      n++;
    }
    return (1L << (2 * (n - 1))) / 100 + 1;
  }

  public CsrModel model() {
    return model;
  }

  public Settings settings() {
    return settings;
  }

  public Costs costs() {
    return costs;
  }

  /**
   * Returns the greatest absolute effect in the interval that is to be expected of an arm without
   * effect, if all samples are divided as the first phase is: a smaller bound can hardly be
   * certified. What a search without memory learns in its last phase is less.
   */
  public double expectedReach(int arm) {
    Phase first = plan.get(0);
    Phase last = plan.get(plan.size() - 1);
    int samples = settings.algorithm().isCumulative ? settings.samples() : last.pulls();
    double[][] shares = allocate(first, arms()).shares();
    double[][] pulls = new double[shares.length][model.arms()];
    for (int type = 0; type < shares.length; type++) {
      for (int j = 0; j < model.arms(); j++) {
        pulls[type][j] = shares[type][j] * samples;
      }
    }
    return new EffectIntervals(this).expected(pulls, arm).reach();
  }

  /** Returns the phases in order. */
  public List<Phase> plan() {
    return plan;
  }

  BitSet arms() {
    BitSet arms = new BitSet();
    arms.set(0, model.arms());
    return arms;
  }

  /** Divides a phase among types and arms; some milliseconds. */
  Allocation allocate(Phase phase, BitSet remaining) {
    return allocator.allocate(phase.stage(), remaining);
  }

  /** Returns whole pulls by type and arm. */
  int[][] quota(Phase phase, Allocation allocation) {
    return Quota.of(allocation, phase.pulls(), costs);
  }

  /** Returns the greatest l of any phase. */
  int greatestPhase() {
    return plan.stream().mapToInt(Phase::l).max().orElseThrow();
  }

  List<Channel> channels() {
    return estimator.channels;
  }

  Estimates estimate(Phase phase, BitSet remaining, SampleSums sums) {
    return estimator.estimate(sums, phase.l(), remaining);
  }

  SearchVerdict close(Phase phase, BitSet remaining, Estimates estimates) {
    return search.close(phase, remaining, estimates);
  }

  /**
   * Divides T samples among phases: n(T) = ceil(log2(10 sqrt T)) of them, tau(l) = T / (l H_n),
   * rounded so that they sum to T.
   *
   * <p>Gao and Feng 2021, section 4.1; the printed forms lack the base 2 and the 1/l, which the
   * proofs need.
   */
  static final class PhasePlan {
    private PhasePlan() {}

    /**
     * Returns the phases of a search with T samples; both stages of a two-stage search have half.
     */
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

  /**
   * Turns shares into whole pulls: by largest remainder, then pulls are moved to the cheapest arm
   * of their type until the phase is within its budget.
   */
  static final class Quota {
    private static final double ROUNDING = 1e-9;

    private Quota() {}

    /** Returns pulls by type and arm that sum to {@code pulls} and cost at most B times as many. */
    static int[][] of(Allocation allocation, int pulls, Costs costs) {
      double[][] shares = allocation.shares();
      int[][] counts = new int[shares.length][costs.arms()];
      int given = 0;
      for (int type = 0; type < shares.length; type++) {
        for (int arm = 0; arm < costs.arms(); arm++) {
          counts[type][arm] = (int) Math.floor(shares[type][arm] * pulls + ROUNDING);
          given += counts[type][arm];
        }
      }
      for (; given < pulls; given++) {
        int[] cell = farthestBelow(shares, counts, pulls);
        counts[cell[0]][cell[1]]++;
      }
      while (costs.total(counts) > costs.budget() * pulls + ROUNDING) {
        int[] cell = farthestAbove(shares, counts, pulls, costs);
        counts[cell[0]][cell[1]]--;
        counts[cell[0]][costs.cheapest()]++;
      }
      return counts;
    }

    /** Returns the cell that lacks most; of several the first by type, then by arm. */
    private static int[] farthestBelow(double[][] shares, int[][] counts, int pulls) {
      int[] best = {0, 0};
      double most = Double.NEGATIVE_INFINITY;
      for (int type = 0; type < shares.length; type++) {
        for (int arm = 0; arm < shares[type].length; arm++) {
          double lack = shares[type][arm] * pulls - counts[type][arm];
          if (lack > most + ROUNDING) {
            most = lack;
            best = new int[] {type, arm};
          }
        }
      }
      return best;
    }

    private static int[] farthestAbove(double[][] shares, int[][] counts, int pulls, Costs costs) {
      int[] best = {0, costs.cheapest()};
      double most = Double.NEGATIVE_INFINITY;
      for (int type = 0; type < shares.length; type++) {
        for (int arm = 0; arm < shares[type].length; arm++) {
          double over = counts[type][arm] - shares[type][arm] * pulls;
          boolean isCostly = costs.of(arm) > costs.of(costs.cheapest());
          if (isCostly && counts[type][arm] > 0 && over > most + ROUNDING) {
            most = over;
            best = new int[] {type, arm};
          }
        }
      }
      return best;
    }
  }
}
