package io.equipoise.policy.logistic;

/**
 * An effect g(x . theta) - g(xc . theta) at an estimate.
 *
 * @param gradient c = g'(x . theta) x - g'(xc . theta) xc, length n; the record owns the array
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
public record LocalEffect(double effect, double[] gradient, Overlap overlap) {
  /** Returns an interval to first order, r sqrt(c' H^-1 c) to both sides. */
  public OddsInterval interval(double r) {
    double half = r * Math.sqrt(overlap.leverage());
    return new OddsInterval(effect, Math.max(-1, effect - half), Math.min(1, effect + half));
  }
}
