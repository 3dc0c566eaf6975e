package io.equipoise.policy.tabular;

import io.equipoise.policy.kernel.Logarithm;

/**
 * Finds the greatest value of sign * sum c_i mu_i, with means scaled to [0, 1], in the regions of a
 * {@link JointRegion}. Belongs to one call. The sums of the constructor follow from coefficients
 * and cells and stay; level, slope and value are those of the multiplier that was evaluated last.
 *
 * <p>In the Beta region the optimum for a multiplier t solves c mu^2 + (t n - c) mu - t S = 0 in
 * [0, 1]. With x the share of the range towards which c pulls, y = 1 - x, g = |c|, s the sum of
 * what was seen on the side of x and f = n - s, both x and y come without cancellation. t is found
 * by Newton's method on ln(sum h - least) in ln t, between bounds.
 */
final class JointEnd {
  /** Each step gives a bound; the bound is exact to the square of this. */
  private static final double CONVERGED = 5e-5;

  private static final int MAX_STEPS = 100;
  private static final double MAX_STEP = 4;

  /** Below this multiplier all means are at the ends of the range. */
  private static final double LEAST_LOG_MULTIPLIER = -34;

  /** The first multiplier is a little too large: a point in the region decides more. */
  private static final double HEAD_START = 0.1;

  /** How much farther a point is taken than a threshold needs. */
  private static final double BEYOND = 1 + 1e-6;

  /** A point is not tried whose divergence by its variances, half of this, exceeds the room. */
  private static final double HOPELESS = 2;

  /** Points tried: each makes up for means that the one before left in the range. */
  private static final int ATTEMPTS = 3;

  /** The part of its distance that a mean keeps from an end of the range. */
  private static final double KEPT = 4;

  /** The share of a region in which rounding cannot take a point out of it. */
  private static final double INSIDE = 1 - 1e-6;

  private final JointRegion region;
  private final double[] c;
  private final JointCells cells;
  private final int count;

  private final double middle;
  private final double spread;
  private final double ownSpread;
  private double unseenAbove;
  private double unseenBelow;
  private double rangeAbove;
  private double rangeBelow;

  private double level;
  private double slope;
  private double value;

  JointEnd(JointRegion region, double[] c, JointCells cells) {
    this.region = region;
    this.c = c;
    this.cells = cells;
    count = cells.count;
    double sum = 0;
    double variance = 0;
    double ownVariance = 0;
    for (int i = 0; i < count; i++) {
      double own = c[i];
      double square = own * own;
      sum += own * cells.mean[i];
      variance += square * cells.variance[i];
      ownVariance += square * cells.ownVariance[i];
      double above = Math.max(0, own);
      if (cells.n[i] == 0) {
        unseenAbove += above;
        unseenBelow += above - own;
      } else {
        rangeAbove += above;
        rangeBelow += above - own;
      }
    }
    middle = sum;
    spread = variance;
    ownSpread = ownVariance;
  }

  private double unseen(int sign) {
    return sign > 0 ? unseenAbove : unseenBelow;
  }

  private double range(int sign) {
    return sign > 0 ? rangeAbove : rangeBelow;
  }

  /** Returns the value at the means that were seen, with the range where none was. */
  double middle(int sign) {
    return unseen(sign) + sign * middle;
  }

  double end(int sign) {
    return within(sign, Double.NaN);
  }

  /** Returns any number on the same side of a threshold as the end; NaN: the end. */
  double within(int sign, double threshold) {
    double gauss = gauss(sign);
    boolean isDecided = spread == 0 || JointRegion.isClearlyWithin(gauss, threshold);
    return isDecided ? gauss : beta(sign, gauss, threshold);
  }

  /**
   * Returns whether {@link #free} is on the same side of the threshold as the end: it is within, or
   * the means that were seen are above.
   */
  boolean isDecided(int sign, double free, double threshold) {
    return spread == 0
        || JointRegion.isClearlyWithin(free, threshold)
        || JointRegion.isClearlyAbove(middle(sign), threshold);
  }

  /**
   * Returns the value at a point that is a little above a threshold and in the Beta region, and in
   * the Gauss region or below its end; or negative infinity: then the end still may be above.
   *
   * <p>Means move in proportion to coefficient and variance as far as the threshold needs, but not
   * to an end of the range. With no logarithm, h - least is n times the divergence of the means
   * that were seen from the others. For a move d from m to mu that is d^2 / 2 times the mean of
   * w(u) = 1 / (u (1 - u)) under a density that grows from 0 at m; w is convex, so its chord gives
   * at most d^2 (w(m) / 6 + w(mu) / 3), and it is never more than d^2 w(mu).
   */
  double inside(int sign, double threshold) {
    double room = (region.limit - cells.least) * INSIDE;
    double needed = sign * (threshold - middle(sign)) * BEYOND;
    double far = needed / ownSpread;
    if (needed * far > HOPELESS * room) {
      return Double.NEGATIVE_INFINITY;
    }
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      double moved = 0;
      double cut = 0;
      double divergence = 0;
      double square = 0;
      for (int i = 0; i < count; i++) {
        double mean = cells.mean[i];
        double to = mean + far * c[i] * cells.ownVariance[i];
        if (to <= 0 || to >= 1) {
          to = to <= 0 ? mean / KEPT : 1 - (1 - mean) / KEPT;
          cut += c[i] * (to - mean);
        }
        double move = to - mean;
        if (move != 0) {
          double there = 1 / (to * (1 - to));
          moved += c[i] * move;
          square += move * move * cells.precision[i];
          divergence +=
              cells.n[i] * move * move * Math.min(there, cells.curvature[i] / 6 + there / 3);
        }
      }
      double value = middle(sign) + sign * moved;
      if (divergence >= room || value > threshold) {
        boolean isInside =
            divergence < room
                && (square < (region.limit + cells.budget) * INSIDE || gauss(sign) > value);
        return isInside ? value : Double.NEGATIVE_INFINITY;
      }
      far *= (needed - cut) / (moved - cut) * BEYOND;
    }
    return Double.NEGATIVE_INFINITY;
  }

  /** Returns the end in the Gauss region without the bounds 0 and 1 of each mean. */
  double free(int sign) {
    double reach = Math.sqrt((region.limit + cells.budget) * spread);
    return Math.min(unseen(sign) + range(sign), middle(sign) + reach);
  }

  /**
   * Returns the end in the Gauss region: means that the free solution puts beyond an end of the
   * range are there in the true one too, and leave more for the others.
   */
  double gauss(int sign) {
    double free = free(sign);
    if (spread == 0) {
      return free;
    }
    double allowed = region.limit + cells.budget;
    double first = Math.sqrt(allowed / spread);
    double step;
    double longer = first;
    do {
      step = longer;
      double rest = allowed;
      double others = 0;
      for (int i = 0; i < count; i++) {
        double own = sign * c[i];
        double room = room(own, cells.mean[i]);
        double variance = cells.variance[i];
        if (Math.abs(own) * variance * step > room) {
          rest -= room * room / variance;
        } else {
          others += own * own * variance;
        }
      }
      longer = others == 0 ? step : Math.sqrt(Math.max(0, rest) / others);
    } while (longer > step);
    if (step == first) {
      return free;
    }
    double sum = unseen(sign);
    for (int i = 0; i < count; i++) {
      double own = sign * c[i];
      double mean = cells.mean[i];
      if (own != 0 && cells.n[i] != 0) {
        double moved = Math.abs(own) * cells.variance[i] * step;
        sum += own * mean + Math.abs(own) * Math.min(room(own, mean), moved);
      }
    }
    return Math.min(free, sum);
  }

  /** Returns how far a mean can move in the direction of its coefficient. */
  private static double room(double own, double mean) {
    return own > 0 ? 1 - mean : mean;
  }

  /**
   * Returns the lesser of the end in the Beta region and another number; with a threshold, any
   * number on the same side of it.
   */
  double beta(int sign, double other, double threshold) {
    double limit = region.limit;
    double room = limit - cells.least;
    double unseen = unseen(sign);
    double logT = start(room);
    double tooLow = Double.NEGATIVE_INFINITY;
    double tooHigh = Double.POSITIVE_INFINITY;
    double bound = Math.min(other, unseen + range(sign));
    for (int step = 0; step < MAX_STEPS && logT > LEAST_LOG_MULTIPLIER; step++) {
      double t = StrictMath.exp(logT);
      evaluate(sign, t);
      bound = Math.min(bound, unseen + value + t * (limit - level));
      boolean isInside = level <= limit;
      boolean isKnown = isInside && unseen + value >= other;
      if (isKnown
          || JointRegion.isClearlyWithin(bound, threshold)
          || (isInside && JointRegion.isClearlyAbove(unseen + value, threshold))) {
        return bound;
      }
      double above = level - cells.least;
      double off = above > 0 ? Logarithm.of(above / room) : -MAX_STEP;
      if (Math.abs(off) <= CONVERGED) {
        return bound;
      }
      if (isInside) {
        tooHigh = logT;
      } else {
        tooLow = logT;
      }
      double move = above > 0 && slope < 0 ? -off * above / slope : off;
      logT += Math.max(-MAX_STEP, Math.min(MAX_STEP, move));
      if (tooHigh < Double.POSITIVE_INFINITY && (logT <= tooLow || logT >= tooHigh)) {
        logT = (tooLow + tooHigh) / 2;
      }
    }
    return bound;
  }

  /** Returns ln t near the optimum where h is a parabola. */
  private double start(double room) {
    return StrictMath.log(ownSpread / (2 * room)) / 2 + HEAD_START;
  }

  /** Fills in sum h, its slope in ln t, and sum c mu, at the optimum for a multiplier. */
  private void evaluate(int sign, double t) {
    level = cells.least;
    value = range(sign);
    double curved = 0;
    for (int i = 0; i < count; i++) {
      double own = sign * c[i];
      if (own == 0 || cells.n[i] == 0) {
        continue;
      }
      boolean isUp = own > 0;
      double g = Math.abs(own);
      double s = isUp ? cells.s[i] : cells.rest[i];
      double f = isUp ? cells.rest[i] : cells.s[i];
      double all = t * cells.n[i];
      double less = all - g;
      double root = Math.sqrt(less * less + 4 * g * t * s);
      double x = less > 0 ? 2 * t * s / (less + root) : (root - less) / (2 * g);
      double y = 2 * t * f / (all + g + root);
      value -= g * y;
      if (s > 0) {
        level -= s * Logarithm.of(x * (isUp ? cells.perMean[i] : cells.perRest[i]));
      }
      if (f > 0) {
        level -= f * Logarithm.of(y * (isUp ? cells.perRest[i] : cells.perMean[i]));
      }
      double both = g * x * y;
      if (both > 0) {
        curved += both * both / (s * y * y + f * x * x);
      }
    }
    slope = -curved / (t * t);
  }
}
