package io.equipoise.bandit.logistic;

/**
 * Finds the range of an effect over the confidence ellipsoid: the pair (x . theta, xc . theta)
 * moves over an ellipse, and the extremes of g(u) - g(v) lie on its rim (specification of the
 * logistic policies, section 4.4). Both are cut to what the ball of radius S allows.
 *
 * <p>The rim is tried at {@value #ANGLES} equispaced angles, and golden sections refine the best.
 */
final class EffectEllipse {
  private static final int ANGLES = 48;
  private static final int SECTIONS = 40;
  private static final double STEP = 2 * Math.PI / ANGLES;
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
  private static final double[] COSINES = new double[ANGLES];
  private static final double[] SINES = new double[ANGLES];

  static {
    for (int angle = 0; angle < ANGLES; angle++) {
      COSINES[angle] = StrictMath.cos(STEP * angle);
      SINES[angle] = StrictMath.sin(STEP * angle);
    }
  }

  private final double u0;
  private final double v0;
  private final double uCos;
  private final double vCos;
  private final double vSin;
  private final double uLimit;
  private final double vLimit;

  private EffectEllipse(Estimate estimate, double[] x, double[] xc, double r) {
    u0 = Vectors.dot(x, estimate.theta());
    v0 = Vectors.dot(xc, estimate.theta());
    double c11 = Math.sqrt(estimate.curvature().variance(x));
    double c21 = c11 == 0 ? 0 : estimate.curvature().product(xc, x) / c11;
    double c22 = Math.sqrt(Math.max(0, estimate.curvature().variance(xc) - c21 * c21));
    uCos = r * c11;
    vCos = r * c21;
    vSin = r * c22;
    uLimit = estimate.scale().s() * Vectors.norm(x);
    vLimit = estimate.scale().s() * Vectors.norm(xc);
  }

  static EffectInterval of(Estimate estimate, double[] x, double[] xc, double r) {
    EffectEllipse ellipse = new EffectEllipse(estimate, x, xc, r);
    int least = 0;
    int greatest = 0;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int angle = 0; angle < ANGLES; angle++) {
      double effect = ellipse.effect(COSINES[angle], SINES[angle]);
      if (effect < low) {
        low = effect;
        least = angle;
      }
      if (effect > high) {
        high = effect;
        greatest = angle;
      }
    }
    low = Math.min(low, -ellipse.refine(least, -1));
    high = Math.max(high, ellipse.refine(greatest, 1));
    return new EffectInterval(estimate.effect(x, xc), low, high);
  }

  private double effect(double cosine, double sine) {
    double u = u0 + uCos * cosine;
    double v = v0 + vCos * cosine + vSin * sine;
    return Logistic.mean(cut(u, uLimit)) - Logistic.mean(cut(v, vLimit));
  }

  private double at(double angle, int sign) {
    return sign * effect(StrictMath.cos(angle), StrictMath.sin(angle));
  }

  /** Returns the greatest sign * effect between the neighbours of an angle. */
  private double refine(int angle, int sign) {
    double low = STEP * (angle - 1);
    double high = STEP * (angle + 1);
    double left = high - GOLDEN * (high - low);
    double right = low + GOLDEN * (high - low);
    double atLeft = at(left, sign);
    double atRight = at(right, sign);
    for (int section = 0; section < SECTIONS; section++) {
      if (atLeft >= atRight) {
        high = right;
        right = left;
        atRight = atLeft;
        left = high - GOLDEN * (high - low);
        atLeft = at(left, sign);
      } else {
        low = left;
        left = right;
        atLeft = atRight;
        right = low + GOLDEN * (high - low);
        atRight = at(right, sign);
      }
    }
    return Math.max(atLeft, atRight);
  }

  private static double cut(double value, double limit) {
    return Math.max(-limit, Math.min(limit, value));
  }
}
