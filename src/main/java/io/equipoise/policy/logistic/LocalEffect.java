package io.equipoise.policy.logistic;

/**
 * An effect f(x . theta) - f(xc . theta) on a scale at an estimate.
 *
 * @param gradient c = f'(x . theta) x - f'(xc . theta) xc, length n; the record owns the array
 * @param greatest size of an effect on the scale
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
public record LocalEffect(double effect, double[] gradient, Overlap overlap, double greatest) {
  /** Returns an interval to first order, r sqrt(c' H^-1 c) to both sides. */
  public OddsInterval interval(double r) {
    double half = r * Math.sqrt(overlap.leverage());
    return new OddsInterval(
        effect, Math.max(-greatest, effect - half), Math.min(greatest, effect + half));
  }
}
