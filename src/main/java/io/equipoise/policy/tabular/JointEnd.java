package io.equipoise.policy.tabular;

import io.equipoise.policy.kernel.Logarithm;
import io.equipoise.policy.tabular.JointRegion.Cell;

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

  /** Points tried: each makes up for means that the one before left in the range. */
  private static final int ATTEMPTS = 3;

  /** The part of its distance that a mean keeps from an end of the range. */
  private static final double KEPT = 4;

  /** The share of a region in which rounding cannot take a point out of it. */
  private static final double INSIDE = 1 - 1e-6;

  private final JointRegion region;
  private final double[] c;
  private final Cell[] cells;
  private final int count;

  private double middle;
  private double spread;
  private double budget;
  private double least;
  private double unseenAbove;
  private double unseenBelow;
  private double rangeAbove;
  private double rangeBelow;

  private double level;
  private double slope;
  private double value;

  JointEnd(JointRegion region, double[] c, Cell[] cells, int count) {
    this.region = region;
    this.c = c;
    this.cells = cells;
    this.count = count;
    for (int i = 0; i < count; i++) {
      double own = c[i];
      Cell cell = cells[i];
      double above = Math.max(0, own);
      if (cell.isUnseen()) {
        unseenAbove += above;
        unseenBelow += above - own;
      } else {
        rangeAbove += above;
        rangeBelow += above - own;
        middle += own * cell.mean();
        spread += own * own * cell.variance();
        budget += cell.budget();
        least += cell.least();
      }
    }
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
    return spread == 0 ? free(sign) : beta(sign, gauss(sign), Double.NaN);
  }

  /** Returns any number on the same side of a threshold as the end. */
  double within(int sign, double threshold) {
    double gauss = gauss(sign);
    return JointRegion.isClearlyWithin(gauss, threshold) ? gauss : beta(sign, gauss, threshold);
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
   * Returns the value at a point of both regions that is a little above a threshold, or negative
   * infinity: then the end still may be above.
   *
   * <p>Means move in proportion to coefficient and variance as far as the threshold needs, but not
   * to an end of the range. With no logarithm, h - least is n times the divergence of the means
   * that were seen from the others, which is at most the square of the move over mu (1 - mu) there,
   * and at most half of that over the least mu (1 - mu) on the way.
   */
  double inside(int sign, double threshold) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += c[i] * c[i] * cells[i].ownVariance();
    }
    double needed = sign * (threshold - middle(sign)) * BEYOND;
    double far = needed / sum;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      double moved = 0;
      double square = 0;
      double divergence = 0;
      for (int i = 0; i < count; i++) {
        Cell cell = cells[i];
        double mean = cell.mean();
        double to = mean + far * c[i] * cell.ownVariance();
        to = to <= 0 ? mean / KEPT : to >= 1 ? 1 - (1 - mean) / KEPT : to;
        double move = to - mean;
        if (move != 0) {
          double there = to * (1 - to);
          double least = 2 * Math.min(mean * (1 - mean), there);
          moved += c[i] * move;
          square += move * move / cell.variance();
          divergence += cell.n() * move * move / Math.max(there, least);
        }
      }
      boolean isInside =
          square < (region.limit + budget) * INSIDE && divergence < (region.limit - least) * INSIDE;
      double value = middle(sign) + sign * moved;
      if (!isInside || value > threshold) {
        return isInside ? value : Double.NEGATIVE_INFINITY;
      }
      far *= needed / moved * BEYOND;
    }
    return Double.NEGATIVE_INFINITY;
  }

  /** Returns the end in the Gauss region without the bounds 0 and 1 of each mean. */
  double free(int sign) {
    double reach = Math.sqrt((region.limit + budget) * spread);
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
    double allowed = region.limit + budget;
    double first = Math.sqrt(allowed / spread);
    double step;
    double longer = first;
    do {
      step = longer;
      double rest = allowed;
      double others = 0;
      for (int i = 0; i < count; i++) {
        double own = sign * c[i];
        double room = room(own, cells[i]);
        double variance = cells[i].variance();
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
      if (own != 0 && !cells[i].isUnseen()) {
        double moved = Math.abs(own) * cells[i].variance() * step;
        sum += own * cells[i].mean() + Math.abs(own) * Math.min(room(own, cells[i]), moved);
      }
    }
    return Math.min(free, sum);
  }

  /** Returns how far a mean can move in the direction of its coefficient. */
  private static double room(double own, Cell cell) {
    return own > 0 ? 1 - cell.mean() : cell.mean();
  }

  /**
   * Returns the lesser of the end in the Beta region and another number; with a threshold, any
   * number on the same side of it.
   */
  double beta(int sign, double other, double threshold) {
    double limit = region.limit;
    double room = limit - least;
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
      double above = level - least;
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
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += c[i] * c[i] * cells[i].ownVariance();
    }
    return StrictMath.log(sum / (2 * room)) / 2 + HEAD_START;
  }

  /** Fills in sum h, its slope in ln t, and sum c mu, at the optimum for a multiplier. */
  private void evaluate(int sign, double t) {
    level = least;
    value = range(sign);
    double curved = 0;
    for (int i = 0; i < count; i++) {
      Cell cell = cells[i];
      double own = sign * c[i];
      if (own == 0 || cell.isUnseen()) {
        continue;
      }
      boolean isUp = own > 0;
      double g = Math.abs(own);
      double s = isUp ? cell.s() : cell.rest();
      double f = isUp ? cell.rest() : cell.s();
      double all = t * cell.n();
      double less = all - g;
      double root = Math.sqrt(less * less + 4 * g * t * s);
      double x = less > 0 ? 2 * t * s / (less + root) : (root - less) / (2 * g);
      double y = 2 * t * f / (all + g + root);
      value -= g * y;
      if (s > 0) {
        level -= s * Logarithm.of(x * (isUp ? cell.perMean() : cell.perRest()));
      }
      if (f > 0) {
        level -= f * Logarithm.of(y * (isUp ? cell.perRest() : cell.perMean()));
      }
      double both = g * x * y;
      if (both > 0) {
        curved += both * both / (s * y * y + f * x * x);
      }
    }
    slope = -curved / (t * t);
  }
}
