package io.equipoise.policy.logistic;

import io.equipoise.policy.constraint.EffectBounds;
import io.equipoise.policy.constraint.EffectSize;
import org.jspecify.annotations.Nullable;

/**
 * Finds the range of an effect over the confidence ellipsoid: the pair (x . theta, xc . theta)
 * moves over an ellipse, and the extremes of g(u) - g(v) lie on its rim
 * (docs/math/logistic.md#the-interval-of-an-effect). Both are cut to what the ball of radius S
 * allows. The ellipse is fixed by the constructor; the interval is derived at the first call and
 * then kept.
 *
 * <p>The rim is tried at {@value #ANGLES} equispaced angles. Newton's method refines the best, or
 * golden sections where it leaves the neighborhood or meets an end of what the ball allows. Which
 * of two places has the larger effect is asked of quick exponentials and cosines first, and of
 * {@link StrictMath} where they are too close to tell: answers, and with them all numbers that are
 * returned, are StrictMath's.
 */
final class EffectEllipse {
  private static final int ANGLES = 48;
  private static final int SECTIONS = 40;
  private static final int ITERATIONS = 10;

  /** A move by less leaves the greatest effect as it is, but for rounding. */
  private static final double CONVERGED = 1e-7;

  private static final double STEP = 2 * Math.PI / ANGLES;
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
  private static final double[] COSINES = new double[ANGLES];
  private static final double[] SINES = new double[ANGLES];

  /**
   * Bounds leave so much room for rounding, of what is added up within them and of {@link #close}.
   */
  private static final double SAFE = 1e-9;

  /** The rim is tried at every so manieth angle for bounds. */
  private static final int STRIDE = 2;

  private static final double HALF_STRIDE = STRIDE * STEP / 2;

  /** At least the greatest absolute values of g' and of g''. */
  private static final double SLOPE = 0.25;

  private static final double BEND = 0.0963;

  /** By how much a smaller effect may come out larger by {@link Logistic#near}. */
  private static final double APART = 5 * Logistic.NEAR;

  /** Of a cubic that is within 0.005 of the arc tangent from 0 to 1. */
  private static final double ATAN = 0.9724;

  private static final double ATAN_BEND = 0.1919;

  /** Several times what quick and strict effects differ by on a unit of (u, v). */
  private static final double ROUNDING = 4e-15;

  static {
    for (int angle = 0; angle < ANGLES; angle++) {
      COSINES[angle] = StrictMath.cos(STEP * angle);
      SINES[angle] = StrictMath.sin(STEP * angle);
    }
  }

  private final EffectScale of;
  private final Point x;
  private final Point xc;
  private final double u0;
  private final double v0;
  private final double uCos;
  private final double vCos;
  private final double vSin;
  private final double uLimit;
  private final double vLimit;
  private final double close;
  private @Nullable OddsInterval known;

  /** Makes the ellipse of a factual and a counterfactual vector; r is the ellipsoid's radius. */
  EffectEllipse(PointPair pair, double r) {
    of = pair.effects;
    x = pair.x;
    xc = pair.xc;
    ParameterEstimate parameterEstimate = pair.estimate;
    Curvature curvature = parameterEstimate.curvature;
    u0 = x.z;
    v0 = xc.z;
    double c11 = Math.sqrt(x.variance(curvature));
    double c21 = c11 == 0 ? 0 : pair.product() / c11;
    double c22 = Math.sqrt(Math.max(0, xc.variance(curvature) - c21 * c21));
    uCos = r * c11;
    vCos = r * c21;
    vSin = r * c22;
    uLimit = parameterEstimate.scale().s() * x.norm();
    vLimit = parameterEstimate.scale().s() * xc.norm();
    double size = 1 + Math.abs(u0) + Math.abs(v0) + uCos + Math.abs(vCos) + vSin;
    close = 2 * ROUNDING * size;
  }

  /** Returns the range, with the effect at the estimate. */
  OddsInterval interval() {
    OddsInterval found = known;
    if (found == null) {
      found = of == EffectScale.LOG_ODDS ? ofLogOdds() : searched();
      known = found;
    }
    return found;
  }

  private OddsInterval searched() {
    double[] near = new double[ANGLES];
    for (int angle = 0; angle < ANGLES; angle++) {
      near[angle] = near(angle);
    }
    return new OddsInterval(x.mean() - xc.mean(), -greatest(near, -1), greatest(near, 1));
  }

  /** Returns the range of u - v, which is linear: no search. */
  private OddsInterval ofLogOdds() {
    double half = Math.hypot(uCos - vCos, vSin);
    double most = uLimit + vLimit;
    double effect = u0 - v0;
    return new OddsInterval(
        effect,
        Math.max(-most, Math.min(most, effect - half)),
        Math.max(-most, Math.min(most, effect + half)));
  }

  /**
   * Returns bounds of the size that {@link #interval} has, from half of its angles and {@link
   * Logistic#near}: between two of them the effect changes by no more than its derivative at the
   * nearer one and the greatest second derivative allow, or where the ball cuts the ellipse, the
   * greatest derivative.
   */
  EffectBounds bounds() {
    if (of == EffectScale.LOG_ODDS) {
      return EffectBounds.of(ofLogOdds().size());
    }
    double vLength = Math.sqrt(vCos * vCos + vSin * vSin);
    boolean isCut = Math.abs(u0) + uCos > uLimit || Math.abs(v0) + vLength > vLimit;
    double steepest = SLOPE * (uCos + vLength);
    double bent = BEND * (uCos * uCos + vLength * vLength) + steepest;
    double curved = HALF_STRIDE * HALF_STRIDE / 2 * bent;
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    double lowest = Double.POSITIVE_INFINITY;
    double highest = Double.NEGATIVE_INFINITY;
    for (int angle = 0; angle < ANGLES; angle += STRIDE) {
      double cosine = COSINES[angle];
      double sine = SINES[angle];
      double u = cut(u(cosine), uLimit);
      double v = cut(v(cosine, sine), vLimit);
      double ofU = Logistic.near(u);
      double ofV = Logistic.near(v);
      double effect = ofU - ofV;
      double derivative =
          -ofU * (1 - ofU) * uCos * sine - ofV * (1 - ofV) * (vSin * cosine - vCos * sine);
      double reach = HALF_STRIDE * (isCut ? steepest : Math.abs(derivative)) + (isCut ? 0 : curved);
      least = Math.min(least, effect);
      most = Math.max(most, effect);
      lowest = Math.min(lowest, effect - reach);
      highest = Math.max(highest, effect + reach);
    }
    double safe = SAFE + close + Logistic.NEAR * (2 + HALF_STRIDE * (uCos + vLength));
    double estimate = Math.abs(x.mean() - xc.mean());
    EffectSize fromWithin =
        new EffectSize(
            estimate,
            Math.max(0, Math.max(lowest, -highest) - safe),
            Math.max(-least, most) - safe);
    EffectSize fromOutside =
        new EffectSize(
            estimate,
            Math.max(0, Math.max(least, -most) + safe),
            Math.max(-lowest, highest) + safe);
    return new EffectBounds(fromWithin, fromOutside);
  }

  /**
   * Returns wider bounds, from two opposite angles about where u and v are farthest apart, and from
   * how far apart they get: |g(u) - g(v)| is at most g(d/2) - g(-d/2) with d = |u - v|.
   */
  EffectBounds roughBounds() {
    if (of == EffectScale.LOG_ODDS) {
      return bounds();
    }
    double across = uCos - vCos;
    int angle = angleNear(across, -vSin);
    double one = near(angle);
    double other = near((angle + ANGLES / 2) % ANGLES);
    double apart =
        Math.abs(u0 - v0) + Math.sqrt(across * across + vSin * vSin) + Math.abs(uLimit - vLimit);
    double greatest = 2 * Logistic.near(apart / 2) - 1;
    double safe = SAFE + close + 2 * Logistic.NEAR;
    double estimate = Math.abs(x.mean() - xc.mean());
    double low = Math.max(0, Math.max(Math.min(one, other), -Math.max(one, other)) + safe);
    double high = Math.max(Math.abs(one), Math.abs(other));
    return new EffectBounds(
        new EffectSize(estimate, 0, high - safe), new EffectSize(estimate, low, greatest + safe));
  }

  /**
   * Returns whether the interval surely reaches beyond two ends, from two opposite angles about
   * where u and v are farthest apart.
   */
  boolean isBeyond(double low, double high) {
    int angle = angleNear(uCos - vCos, -vSin);
    double one = near(angle);
    double other = near((angle + ANGLES / 2) % ANGLES);
    double safe = SAFE + close + 2 * Logistic.NEAR;
    return of == EffectScale.PROBABILITY
        && Math.min(one, other) + safe < low
        && Math.max(one, other) - safe > high;
  }

  /** Returns an angle within about a step of that of a direction. */
  private static int angleNear(double cosine, double sine) {
    double wide = Math.abs(cosine);
    double tall = Math.abs(sine);
    double ratio = Math.min(wide, tall) / Math.max(Double.MIN_NORMAL, Math.max(wide, tall));
    double steps = ratio * (ATAN - ATAN_BEND * ratio * ratio) / STEP; // of the arc tangent
    steps = tall > wide ? ANGLES / 4 - steps : steps;
    steps = cosine < 0 ? ANGLES / 2 - steps : steps;
    steps = sine < 0 ? ANGLES - steps : steps;
    return (int) (steps + 0.5) % ANGLES;
  }

  /** Returns about the effect at an angle. */
  private double near(int angle) {
    double u = u(COSINES[angle]);
    double v = v(COSINES[angle], SINES[angle]);
    return Logistic.near(cut(u, uLimit)) - Logistic.near(cut(v, vLimit));
  }

  /**
   * Returns the greatest sign * effect on the rim.
   *
   * @param near about the effect at each angle: quick ones are found where it may be the greatest
   */
  private double greatest(double[] near, int sign) {
    double nearest = Double.NEGATIVE_INFINITY;
    for (double effect : near) {
      nearest = Math.max(nearest, sign * effect);
    }
    double[] quick = new double[ANGLES];
    double greatest = Double.NEGATIVE_INFINITY;
    for (int angle = 0; angle < ANGLES; angle++) {
      boolean isFar = sign * near[angle] < nearest - APART;
      quick[angle] = isFar ? Double.NEGATIVE_INFINITY : sign * quick(COSINES[angle], SINES[angle]);
      greatest = Math.max(greatest, quick[angle]);
    }
    int best = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (int angle = 0; angle < ANGLES; angle++) {
      if (!(quick[angle] < greatest - close)) {
        double effect = sign * effect(COSINES[angle], SINES[angle]);
        if (effect > most) {
          most = effect;
          best = angle;
        }
      }
    }
    double turn = turn(best, sign);
    double refined =
        Double.isNaN(turn)
            ? refine(best, sign)
            : sign * effect(StrictMath.cos(STEP * best + turn), StrictMath.sin(STEP * best + turn));
    return Math.max(most, refined);
  }

  /**
   * Returns how far from an angle sign * effect is greatest, by Newton's method; NaN where it finds
   * no maximum within a step without crossing an end of what the ball allows.
   */
  private double turn(int near, int sign) {
    boolean isUCut = isCut(u(COSINES[near]), uLimit);
    boolean isVCut = isCut(v(COSINES[near], SINES[near]), vLimit);
    double turn = 0;
    double moved = STEP;
    if (isUCut && isVCut) { // the effect is as great as the ball allows, or flat
      boolean isGreatest = sign * u(COSINES[near]) > 0 && sign * v(COSINES[near], SINES[near]) < 0;
      return isGreatest ? 0 : Double.NaN;
    }
    for (int iteration = 0; iteration < ITERATIONS && moved >= CONVERGED; iteration++) {
      double cosine = cosine(near, turn);
      double sine = sine(near, turn);
      double u = u(cosine);
      double v = v(cosine, sine);
      double ofU = Logistic.mean(u);
      double ofV = Logistic.mean(v);
      double slopeOfU = isUCut ? 0 : ofU * (1 - ofU);
      double slopeOfV = isVCut ? 0 : ofV * (1 - ofV);
      double byU = -uCos * sine;
      double byV = vSin * cosine - vCos * sine;
      double first = slopeOfU * byU - slopeOfV * byV;
      double second =
          slopeOfU * ((1 - 2 * ofU) * byU * byU - (u - u0))
              - slopeOfV * ((1 - 2 * ofV) * byV * byV - (v - v0));
      boolean isSmooth = isCut(u, uLimit) == isUCut && isCut(v, vLimit) == isVCut;
      turn -= first / second;
      moved = Math.abs(first / second);
      if (!isSmooth || !(sign * second < 0 && Math.abs(turn) < STEP)) {
        return Double.NaN;
      }
    }
    return moved < CONVERGED ? turn : Double.NaN;
  }

  private double u(double cosine) {
    return u0 + uCos * cosine;
  }

  private double v(double cosine, double sine) {
    return v0 + vCos * cosine + vSin * sine;
  }

  private static boolean isCut(double value, double limit) {
    return Math.abs(value) > limit;
  }

  /** Returns the cosine of an angle near another, by series that are exact within a step. */
  private static double cosine(int near, double turn) {
    double s = turn * turn;
    return COSINES[near] * seriesOfCosine(s) - SINES[near] * turn * seriesOfSine(s);
  }

  private static double sine(int near, double turn) {
    double s = turn * turn;
    return SINES[near] * seriesOfCosine(s) + COSINES[near] * turn * seriesOfSine(s);
  }

  private static double seriesOfCosine(double s) {
    return 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56)));
  }

  private static double seriesOfSine(double s) {
    return 1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72)));
  }

  /** Returns the greatest sign * effect between the neighbors of an angle. */
  private double refine(int angle, int sign) {
    double low = STEP * (angle - 1);
    double high = STEP * (angle + 1);
    Place left = new Place(high - GOLDEN * (high - low), angle, sign);
    Place right = new Place(low + GOLDEN * (high - low), angle, sign);
    for (int section = 0; section < SECTIONS; section++) {
      if (left.isAtLeast(right)) {
        high = right.angle;
        Place spare = right;
        right = left;
        left = spare.moveTo(high - GOLDEN * (high - low));
      } else {
        low = left.angle;
        Place spare = left;
        left = right;
        right = spare.moveTo(low + GOLDEN * (high - low));
      }
    }
    return Math.max(left.effect(), right.effect());
  }

  /** A place on the rim, within a step of an angle. */
  private final class Place {
    private final int near;
    private final int sign;
    private double angle;
    private double quick;
    private double effect;
    private boolean isKnown;

    Place(double angle, int near, int sign) {
      this.near = near;
      this.sign = sign;
      moveTo(angle);
    }

    Place moveTo(double angle) {
      this.angle = angle;
      quick = sign * quick();
      isKnown = false;
      return this;
    }

    private double quick() {
      double turn = angle - STEP * near;
      return EffectEllipse.this.quick(cosine(near, turn), sine(near, turn));
    }

    boolean isAtLeast(Place other) {
      return Math.abs(quick - other.quick) > close
          ? quick > other.quick
          : effect() >= other.effect();
    }

    double effect() {
      if (!isKnown) {
        effect = sign * EffectEllipse.this.effect(StrictMath.cos(angle), StrictMath.sin(angle));
        isKnown = true;
      }
      return effect;
    }
  }

  private double effect(double cosine, double sine) {
    return Logistic.mean(cut(u(cosine), uLimit)) - Logistic.mean(cut(v(cosine, sine), vLimit));
  }

  /** Returns the effect, but for rounding. */
  private double quick(double cosine, double sine) {
    double u = cut(u(cosine), uLimit);
    double v = cut(v(cosine, sine), vLimit);
    return 1 / (1 + Math.exp(-u)) - 1 / (1 + Math.exp(-v));
  }

  private static double cut(double value, double limit) {
    return Math.max(-limit, Math.min(limit, value));
  }
}
