package io.equipoise.bandit.logistic;

/**
 * An effect g(x . theta) - g(xc . theta) at an estimate.
 *
 * @param gradient c = g'(x . theta) x - g'(xc . theta) xc, length n; the record owns the array
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
public record LocalEffect(double effect, double[] gradient, Overlap overlap) {
  /** Returns an interval to first order, r sqrt(c' H^-1 c) to both sides. */
  public EffectInterval interval(double r) {
    double half = r * Math.sqrt(overlap.leverage());
    return new EffectInterval(effect, Math.max(-1, effect - half), Math.min(1, effect + half));
  }
}
