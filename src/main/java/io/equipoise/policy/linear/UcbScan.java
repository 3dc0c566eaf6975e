package io.equipoise.policy.linear;

import io.equipoise.event.DecisionReason;
import io.equipoise.policy.constraint.Scan;

/**
 * Chooses for a UCB index on which nothing else acts, and leaves out what cannot win: x'A^-1x &lt;=
 * |x|^2 times any bound of A^-1's largest eigenvalue, so candidates are visited by mean + beta
 * sqrt(bound), and the first whose bound is below the best exact score ends the search. The choice
 * is that of scoring all, bit for bit: what is scored is scored by the same kernels, and what is
 * not scored is further than a tie from the best. Immutable.
 */
record UcbScan(Radius radius) {
  /** The least nonzero features from which a quadratic form costs more than leaving it out. */
  private static final int WORTH_PRUNING = 3;

  /** Bounds are raised by this share, so that rounding cannot make them too small. */
  private static final double SAFE = 1 + 1e-9;

  /** Fills the means of all candidates and the scores of those that were visited; chooses. */
  void choose(LinearRound out) {
    FeatureVector first = out.x(0);
    if (first.isSparse() && first.nonzeros() < WORTH_PRUNING) {
      finish(out, firstOfBest(out, scoreAll(out)));
    } else {
      finish(out, visit(out, bound(out)));
    }
  }

  /** Returns the first place with a score within a tie of the best. */
  private static int firstOfBest(LinearRound out, double best) {
    int first = 0;
    while (out.score[first] < best - Scan.TIE) {
      first++;
    }
    return first;
  }

  /** Takes a place; says whether its mean is the best, too. */
  private static void finish(LinearRound out, int chosen) {
    out.chosen = chosen;
    out.propensity[chosen] = 1;
    boolean isBestPaid = out.bestMean - Scan.TIE <= out.mean[chosen];
    out.reason = isBestPaid ? DecisionReason.EXPLOIT : DecisionReason.EXPLORE;
  }

  /**
   * Scores the place that is played if it was left out: exploration draws from all, and the played
   * arm is reported with its index.
   */
  void scorePlayed(LinearRound out) {
    if (out.score[out.chosen] == Double.NEGATIVE_INFINITY) {
      out.score[out.chosen] = score(out, out.chosen);
    }
  }

  private double beta(LinearRound out, int place, RidgeRegression ridge) {
    return out.scale * radius.of(ridge, out.position(place));
  }

  /** Returns the score of a place whose mean is known. */
  private double score(LinearRound out, int place) {
    RidgeRegression ridge = out.ridge(place);
    double width = Math.sqrt(ridge.squaredWidth(out.x(place)));
    return out.mean[place] + beta(out, place, ridge) * width;
  }

  /** Scores all; returns the best score. */
  private double scoreAll(LinearRound out) {
    double best = Double.NEGATIVE_INFINITY;
    double bestMean = best;
    for (int place = 0; place < out.size; place++) {
      RidgeRegression ridge = out.ridge(place);
      FeatureVector x = out.x(place);
      double mean = ridge.mean(x);
      double beta = beta(out, place, ridge);
      double score = mean + beta * Math.sqrt(ridge.squaredWidth(x));
      out.mean[place] = mean;
      out.score[place] = score;
      best = score > best ? score : best;
      bestMean = Math.max(bestMean, mean);
    }
    out.bestMean = bestMean;
    return best;
  }

  /**
   * Computes all means, and what no score exceeds; returns the place of the highest bound. Maxima
   * are taken first and their place looked for then: comparisons that go either way cost more.
   */
  private int bound(LinearRound out) {
    means(out);
    double[] bound = out.index;
    double top = Double.NEGATIVE_INFINITY;
    double bestMean = Double.NEGATIVE_INFINITY;
    boolean isAlike = out.candidates().isAlike();
    double norm = out.x(0).norm();
    for (int place = 0; place < out.size; place++) {
      norm = isAlike ? norm : out.x(place).norm();
      bound[place] = out.mean[place] + out.width[place] * norm * SAFE;
      out.score[place] = Double.NEGATIVE_INFINITY;
      top = Math.max(top, bound[place]);
      bestMean = Math.max(bestMean, out.mean[place]);
    }
    out.bestMean = bestMean;
    int highest = 0;
    while (bound[highest] < top) {
      highest++;
    }
    return highest;
  }

  /** Computes all means, and how far a score may be above them for features of length 1. */
  private void means(LinearRound out) {
    FeatureVector first = out.x(0);
    boolean areAtOnce = out.candidates().isAlike() && !first.isSparse();
    for (int place = 0; place < out.size; place++) {
      RidgeRegression ridge = out.ridge(place);
      out.width[place] = beta(out, place, ridge) * ridge.largestWidth();
      if (areAtOnce) {
        out.theta[place] = ridge.isEmpty() ? out.flat : ridge.theta;
      } else {
        out.mean[place] = ridge.mean(out.x(place));
      }
    }
    if (areAtOnce) {
      SymmetricMatrix.dots(out.theta, first, out.mean, out.size);
    }
  }

  /**
   * Scores by descending bound until no bound reaches the best score.
   *
   * @param highest the place of the highest bound
   * @return the first place with a score within a tie of the best
   */
  private int visit(LinearRound out, int highest) {
    double[] bound = out.index;
    double best = Double.NEGATIVE_INFINITY;
    out.visited = 0;
    int place = highest;
    while (place >= 0) {
      double score = score(out, place);
      out.score[place] = score;
      best = score > best ? score : best;
      bound[place] = Double.NEGATIVE_INFINITY;
      out.visited++;
      place = highest(bound, out.size, best - 2 * Scan.TIE);
    }
    boolean isOnlyOne = out.visited == 1 && best > Double.NEGATIVE_INFINITY;
    return isOnlyOne ? highest : firstOfBest(out, best);
  }

  /** Returns the place of the highest bound, or -1 if none reaches the least. */
  private static int highest(double[] bound, int size, double least) {
    int highest = -1;
    double top = least;
    for (int place = 0; place < size; place++) {
      if (bound[place] >= top && bound[place] > Double.NEGATIVE_INFINITY) {
        top = bound[place];
        highest = place;
      }
    }
    return highest;
  }
}
