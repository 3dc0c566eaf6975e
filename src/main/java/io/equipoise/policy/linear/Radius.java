package io.equipoise.policy.linear;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.segmentspec.Forget;

/**
 * Computes how many standard widths sqrt(x'A^-1x) an interval reaches to both sides of its mean.
 */
public sealed interface Radius {
  /**
   * Returns the factor for an arm's statistics.
   *
   * @param position of the arm among all that ever come, or {@link LinearBlocks#SHARED} for
   *     statistics of all of them
   */
  double of(ContrastModel model, int position);

  /** Returns how far intervals of this radius can be trusted under a way of forgetting. */
  AuditGuarantee guarantee(Forget forgetting);

  /** Takes a fixed factor: the alpha of LinUCB and of Fair-LinUCB's experiments. */
  record Fixed(double alpha) implements Radius {
    public Fixed {
      if (!(alpha >= 0 && alpha <= 1e6)) {
        throw new IllegalArgumentException("alpha " + alpha + " must be in [0, 1e6]");
      }
    }

    @Override
    public double of(ContrastModel model, int position) {
      return alpha;
    }

    @Override
    public AuditGuarantee guarantee(Forget forgetting) {
      return AuditGuarantee.PER_ROUND;
    }
  }

  /** Returns alpha = 1 + sqrt(ln(2/delta) / 2), Li et al. 2010; holds for one prediction. */
  static Radius ofDelta(double delta) {
    return new Fixed(1 + Math.sqrt(StrictMath.log(2 / checked(delta)) / 2));
  }

  /**
   * Computes the self-normalized bound of Abbasi-Yadkori, Pal and Szepesvari 2011, Theorem 2, which
   * holds for all features and all time at once: sub-Gaussian scale * sqrt(log(det A / lambda^d) +
   * 2 log(1/delta)) + sqrt(lambda) * bound of |theta|. Where each arm has a model of its own, it
   * errs with its {@linkplain AlphaSpending share} of delta, so that all hold at once, however many
   * come. Under forgetting it is not proved.
   */
  record SelfNormalized(double scale, double thetaNorm, double delta) implements Radius {
    public SelfNormalized {
      checked(delta);
      if (!(scale >= 0 && thetaNorm >= 0)) {
        throw new IllegalArgumentException("scale " + scale + ", bound of theta " + thetaNorm);
      }
    }

    @Override
    public double of(ContrastModel model, int position) {
      return of(model.logDeterminant(), model.lambda(), position);
    }

    /** Returns the factor at log(det A / lambda^d). */
    double of(double logDeterminant, double lambda, int position) {
      double own = delta * AlphaSpending.share(position);
      double logs = Math.max(0, logDeterminant) - 2 * StrictMath.log(own);
      return scale * Math.sqrt(logs) + Math.sqrt(lambda) * thetaNorm;
    }

    @Override
    public AuditGuarantee guarantee(Forget forgetting) {
      return forgetting.isNothing() ? AuditGuarantee.ANYTIME : AuditGuarantee.APPROXIMATE;
    }
  }

  /** Takes another radius over statistics with offline evidence, for which nothing is proved. */
  record OnEvidence(Radius inner) implements Radius {
    @Override
    public double of(ContrastModel model, int position) {
      return inner.of(model, position);
    }

    @Override
    public AuditGuarantee guarantee(Forget forgetting) {
      return AuditGuarantee.PER_ROUND;
    }
  }

  /** Takes another radius under a bound of |theta| that is a guess. */
  record OnGuess(Radius inner) implements Radius {
    @Override
    public double of(ContrastModel model, int position) {
      return inner.of(model, position);
    }

    @Override
    public AuditGuarantee guarantee(Forget forgetting) {
      return AuditGuarantee.APPROXIMATE;
    }
  }

  /**
   * Computes the Laplace radius of a logistic model with the bias of its prior: sqrt(log(det H /
   * lambda^d) + 2 log(1/delta) + lambda (|theta|^2 + S^2)); measured, not proved.
   *
   * @param thetaNorm S, the bound of |theta|
   * @param dimension d
   */
  record Laplace(double thetaNorm, int dimension, double delta) implements Radius {
    public Laplace {
      checked(delta);
    }

    @Override
    public double of(ContrastModel model, int position) {
      double squares = thetaNorm * thetaNorm;
      for (int i = 0; i < dimension; i++) {
        squares += model.theta(i) * model.theta(i);
      }
      double logs = Math.max(0, model.logDeterminant()) - 2 * StrictMath.log(delta);
      return Math.sqrt(logs + model.lambda() * (squares + model.squaresOfLeft()));
    }

    @Override
    public AuditGuarantee guarantee(Forget forgetting) {
      return AuditGuarantee.APPROXIMATE;
    }
  }

  private static double checked(double delta) {
    if (!(delta > 0 && delta < 1)) {
      throw new IllegalArgumentException("delta " + delta + " must be in (0, 1)");
    }
    return delta;
  }
}
