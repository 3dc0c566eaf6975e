package io.equipoise.bandit.csr;

import java.util.BitSet;
import java.util.List;

/**
 * A search made ready: model, algorithm, mode, budget and bound, with all that follows from them
 * and is the same in every phase. Immutable; safe for use by many threads.
 */
public final class Design {
  private final CsrModel model;
  private final Settings settings;
  private final Costs costs;
  private final List<Phase> plan;
  private final Estimator estimator;
  private final Allocator allocator;
  private final Search search;

  /**
   * What is asked for.
   *
   * @param samples T, at least 1
   * @param bound E: an arm is fair if both effects are within it
   */
  public record Settings(
      Algorithm algorithm, Mode mode, FairnessEstimate fairness, int samples, double bound) {}

  /**
   * Makes a search ready.
   *
   * @throws IllegalArgumentException if it could certify nothing, whatever the samples say
   */
  public Design(CsrModel model, Settings settings, Costs costs) {
    this.model = model;
    this.settings = settings;
    this.costs = costs;
    requireSense();
    plan = PhasePlan.of(settings.algorithm(), settings.samples());
    Trust trust = Trust.of(model, settings.fairness());
    estimator = new Estimator(model, settings.mode(), settings.fairness(), trust);
    allocator = new Allocator(model, trust, costs, settings.mode());
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
    int n = PhasePlan.phases(samples);
    double finest = 3 * Math.scalb(1.0, -n);
    if (!settings.algorithm().isTwoStage() && finest >= settings.bound()) {
      throw new IllegalArgumentException(
          String.format(
              "no arm can be certified: T = %d has n = %d phases, and 3/2^n = %s is not below E = %s;"
                  + " take E above it, or T of at least %d",
              samples, n, finest, settings.bound(), leastSamples(settings.bound())));
    }
  }

  /** Returns the least T whose last phase can certify: 100 T > 4^(n-1) for the least n. */
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
   * Returns 3/2^n, by how much the last phase may misjudge an effect: no bound up to it can be
   * certified with this T.
   */
  public double finestBand() {
    return plan.get(plan.size() - 1).effectBand();
  }

  /** Returns the phases in order. */
  public List<Phase> plan() {
    return plan;
  }

  /** Returns all arms. */
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
    return estimator.channels();
  }

  Estimator estimator() {
    return estimator;
  }

  Estimates estimate(Phase phase, BitSet remaining, SampleSums sums) {
    return estimator.estimate(sums, phase.l(), remaining);
  }

  Verdict close(Phase phase, BitSet remaining, Estimates estimates) {
    return search.close(phase, remaining, estimates);
  }
}
