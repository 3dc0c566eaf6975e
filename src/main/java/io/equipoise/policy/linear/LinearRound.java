package io.equipoise.policy.linear;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ExcludedArm;
import io.equipoise.policy.kernel.Kernels;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The scratch and the result of one decision, by place among the candidates. Reusable; grows to the
 * largest request, then allocates nothing. For one thread.
 */
public final class LinearRound {
  /** The place that is chosen where there is no candidate. */
  public static final int NONE = -1;

  final RidgeWorkspace workspace;
  final NormalDraws normals = new NormalDraws();
  final double[] sampled;

  /** Theta of an arm without an observation. */
  final double[] flat;

  double[][] theta = new double[0][];
  double[] mean = new double[0];
  double[] width = new double[0];
  double[] beta = new double[0];
  double[] index = new double[0];
  double[] score = new double[0];
  double[] effect = new double[0];
  double[] charged = new double[0];
  double[] propensity = new double[0];
  boolean[] isEligible = new boolean[0];
  int size;
  int chosen = NONE;
  int fairSetSize;
  int fallback;

  int excluded;
  boolean isCertified;
  boolean isExplored;
  double gamma;
  double bestMean;
  DecisionReason reason = DecisionReason.EXPLOIT;
  PropensityKind kind = PropensityKind.DETERMINISTIC;
  int draws;
  int visited;

  public LinearRound(int dimension) {
    workspace = new RidgeWorkspace(dimension);
    sampled = new double[Kernels.padded(dimension)];
    flat = new double[Kernels.padded(dimension)];
  }

  void begin(int candidates) {
    if (candidates > mean.length) {
      int length = Math.max(candidates, 2 * mean.length);
      theta = new double[length][];
      mean = new double[length];
      width = new double[length];
      beta = new double[length];
      index = new double[length];
      score = new double[length];
      effect = new double[length];
      charged = new double[length];
      propensity = new double[length];
      isEligible = new boolean[length];
    }
    size = candidates;
    visited = candidates;
    chosen = NONE;
    fairSetSize = -1;
    fallback = NONE;
    excluded = NONE;
    isCertified = false;
    isExplored = false;
    gamma = 0;
    draws = 0;
    reason = DecisionReason.EXPLOIT;
    kind = PropensityKind.DETERMINISTIC;
    Arrays.fill(propensity, 0, candidates, 0);
  }

  /** Lets the rule choose among all. */
  void admitAll() {
    Arrays.fill(isEligible, 0, size, true);
  }

  /** Returns the place of the chosen candidate, or {@link #NONE}. */
  public int chosen() {
    return chosen;
  }

  /** Returns the mean of the model for a candidate. */
  public double mean(int place) {
    return mean[place];
  }

  /**
   * Returns what the rule compared; negative infinity for a candidate that was seen to be worse
   * without computing it, but never for the chosen one.
   */
  public double score(int place) {
    return score[place];
  }

  /** Returns the probability with which a candidate was to be chosen. */
  public double propensity(int place) {
    return propensity[place];
  }

  public PropensityKind propensityKind() {
    return kind;
  }

  /** Returns for how many candidates a width was computed. */
  public int visited() {
    return visited;
  }

  /** Returns from how many draws propensities were estimated; 0 where they were not. */
  public int draws() {
    return draws;
  }

  /** Returns the gamma in force: that of eq. 7, or what was found for it. */
  public double gamma() {
    return gamma;
  }

  public DecisionReason reason() {
    return reason;
  }

  /** Returns the decision as a record of its own; there must have been a candidate. */
  public Choice toChoice() {
    if (chosen == NONE) {
      throw new IllegalStateException("nothing was chosen: there was no candidate");
    }
    @Nullable ExcludedArm left =
        excluded == NONE ? null : new ExcludedArm(excluded, index[excluded]);
    return new Choice(
        chosen,
        reason,
        score[chosen],
        mean[chosen],
        score[chosen] - mean[chosen],
        kind,
        draws,
        Arrays.copyOf(propensity, size),
        isCertified,
        fairSetSize,
        left,
        isExplored);
  }
}
