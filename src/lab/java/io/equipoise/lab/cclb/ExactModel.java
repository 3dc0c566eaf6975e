package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.History.VectorKey;
import io.equipoise.policy.logistic.ConfidenceRadius;
import io.equipoise.policy.logistic.LogisticModel;
import io.equipoise.policy.logistic.LogisticModel.JointOptimum;
import io.equipoise.policy.logistic.LogisticScale;
import io.equipoise.policy.logistic.ParameterEstimate;
import io.equipoise.policy.logistic.Vectors;
import java.util.HashMap;
import java.util.Map;
import org.ejml.data.DMatrixRMaj;
import org.jspecify.annotations.Nullable;

/**
 * Implements the exact form of the model: maximum likelihood within the ball, and the loss-based
 * confidence set, over the whole history merged to counts (Chen, Tian and Quinn 2025, section 3.1;
 * docs/math/logistic.md#the-exact-model). Memory and time grow with the number of distinct rows:
 * for replications. Mutable; {@link #copy} is deep.
 *
 * <p>The order of the rewards does not matter, up to rounding. Intervals and unsupported shares use
 * H = lambda I + Hess L(theta), so that they exist before the first reward.
 *
 * <p>State: the history. The estimate is derived from it and valid until the next reward. The
 * earlier optima and the warm start shorten searches and change results by rounding only. Not
 * thread-safe.
 */
public final class ExactModel implements LogisticModel {
  private static final double WITHIN = 1e-9;

  private final LogisticScale scale;
  private final History history;

  /** The last optimum of each vector; shortens searches. */
  private final Map<VectorKey, double[]> starts = new HashMap<>();

  private double[] warmStart;
  private @Nullable ParameterEstimate parameterEstimate;

  /** Locates the maximum likelihood estimate in the ball. */
  public enum Boundary {
    /** Within the ball. */
    INTERIOR,
    /** On the sphere, as for separable data; normal in early rounds. */
    BOUNDARY
  }

  public ExactModel(LogisticScale scale) {
    this(scale, new History());
  }

  private ExactModel(LogisticScale scale, History history) {
    this.scale = scale;
    this.history = history;
    warmStart = new double[scale.n()];
  }

  @Override
  public LogisticScale scale() {
    return scale;
  }

  @Override
  public long rewards() {
    return history.rewards();
  }

  @Override
  public void learn(double[] x, double y) {
    scale.check(x);
    LogisticScale.checkReward(y);
    history.add(x, y);
    parameterEstimate = null;
  }

  @Override
  public ParameterEstimate estimate() {
    ParameterEstimate known = parameterEstimate;
    if (known == null) {
      int n = scale.n();
      double[] none = new double[n];
      double[] theta = rewards() == 0 ? none : BallMinimum.of(history, scale, none, warmStart);
      DMatrixRMaj hessian = new DMatrixRMaj(n, n);
      history.derivatives(theta, new double[n], hessian);
      known = ParameterEstimate.of(scale, theta, hessian, rewards());
      warmStart = theta;
      parameterEstimate = known;
    }
    return known;
  }

  /** Returns whether the estimate lies on the sphere. */
  public Boundary boundary() {
    double norm = Vectors.norm(estimate().parameter());
    return norm >= scale.s() * (1 - WITHIN) ? Boundary.BOUNDARY : Boundary.INTERIOR;
  }

  /** Returns the log loss at the estimate. */
  public double loss() {
    return history.loss(estimate().parameter());
  }

  @Override
  public double[] optimistic(double[][] candidates, ConfidenceRadius radius) {
    LossSet set = set(radius);
    double[] values = new double[candidates.length];
    for (int candidate = 0; candidate < values.length; candidate++) {
      double[] x = candidates[candidate];
      values[candidate] = Vectors.dot(x, set.optimum(x));
    }
    return values;
  }

  /**
   * {@inheritDoc} If a corner of the ball lies in the set, the first one in scan order wins. Else
   * every candidate is solved, except those that a half-space through an optimum already bounds.
   */
  @Override
  public JointOptimum jointOptimum(double[][] candidates, int start, ConfidenceRadius radius) {
    LossSet set = set(radius);
    for (int visited = 0; visited < candidates.length; visited++) {
      int candidate = (start + visited) % candidates.length;
      double[] corner = set.corner(candidates[candidate]);
      if (corner != null) {
        double value = Vectors.dot(candidates[candidate], corner);
        return new JointOptimum(candidate, value, corner);
      }
    }
    JointOptimum best = null;
    for (int visited = 0; visited < candidates.length; visited++) {
      int candidate = (start + visited) % candidates.length;
      double[] x = candidates[candidate];
      if (best != null && set.bound(x) <= best.value() + WITHIN) {
        continue;
      }
      double[] theta = set.optimum(x);
      double value = Vectors.dot(x, theta);
      if (best == null || value > best.value() + WITHIN) {
        best = new JointOptimum(candidate, value, theta);
      }
    }
    if (best == null) {
      throw new IllegalArgumentException("a request without candidates");
    }
    return best;
  }

  private LossSet set(ConfidenceRadius radius) {
    ParameterEstimate known = estimate();
    return new LossSet(history, scale, known.parameter(), known.squaredRadius(radius), starts);
  }

  @Override
  public ExactModel copy() {
    return new ExactModel(scale, history.copy());
  }
}
