package io.equipoise.bandit.linear;

import io.equipoise.bandit.Why;

/**
 * Chooses for a UCB index on which nothing else acts, and leaves out what cannot win: x'A^-1x &lt;=
 * |x|^2 times any bound of A^-1's largest eigenvalue, so candidates are visited by mean + beta
 * sqrt(bound), and the first whose bound is below the best exact score ends the search. The choice
 * is that of scoring all, bit for bit: what is scored is scored by the same kernels, and what is
 * not scored is further than a tie from the best. Immutable.
 */
final class UcbScan {
  /** The least nonzero features from which a quadratic form costs more than leaving it out. */
  private static final int WORTH_PRUNING = 3;

  /** Bounds are raised by this share, so that rounding cannot make them too small. */
  private static final double SAFE = 1 + 1e-9;

  private final Radius radius;
  private final boolean isShared;

  UcbScan(Radius radius, boolean isShared) {
    this.radius = radius;
    this.isShared = isShared;
  }

  /** Fills the means of all candidates and the scores of those that were visited; chooses. */
  void choose(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    FeatureVector first = candidates.features(0);
    if (first.isSparse() && first.nonzeros() < WORTH_PRUNING) {
      finish(out, scoreAll(blocks, candidates, out));
    } else {
      bound(blocks, candidates, out);
      finish(out, scoreBest(blocks, candidates, out));
    }
  }

  /** Picks the first of the best scores; says whether its mean is the best, too. */
  private static void finish(LinearRound out, double best) {
    int chosen = 0;
    while (out.score[chosen] < best - Argmax.TOLERANCE) {
      chosen++;
    }
    double greatestMean = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < out.size; place++) {
      greatestMean = out.mean[place] > greatestMean ? out.mean[place] : greatestMean;
    }
    out.chosen = chosen;
    out.propensity[chosen] = 1;
    boolean isBestPaid = out.mean[chosen] >= greatestMean - Argmax.TOLERANCE;
    out.why = isBestPaid ? Why.EXPLOIT : Why.EXPLORE;
  }

  private RidgeArm ridge(LinearBlocks blocks, Candidates candidates, int place) {
    return blocks.ridge(isShared ? LinearBlocks.SHARED : candidates.arm(place));
  }

  /** Scores all; returns the best score. */
  private double scoreAll(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    double best = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < out.size; place++) {
      RidgeArm ridge = ridge(blocks, candidates, place);
      FeatureVector x = candidates.features(place);
      double mean = ridge.mean(x);
      double score = mean + radius.of(ridge) * Math.sqrt(ridge.squaredWidth(x));
      out.mean[place] = mean;
      out.score[place] = score;
      best = score > best ? score : best;
    }
    return best;
  }

  /** Computes all means, and what no score exceeds. */
  private void bound(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    double[] bound = out.index;
    for (int place = 0; place < out.size; place++) {
      RidgeArm ridge = ridge(blocks, candidates, place);
      FeatureVector x = candidates.features(place);
      double mean = ridge.mean(x);
      double width = Math.sqrt(x.squaredNorm() * ridge.largestEigenvalue());
      out.mean[place] = mean;
      bound[place] = mean + radius.of(ridge) * width * SAFE;
      out.score[place] = Double.NEGATIVE_INFINITY;
    }
  }

  /** Scores by descending bound until no bound reaches the best score; returns that. */
  private double scoreBest(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    double[] bound = out.index;
    double best = Double.NEGATIVE_INFINITY;
    out.visited = 0;
    int place = highest(bound, out.size);
    while (place >= 0 && bound[place] >= best - 2 * Argmax.TOLERANCE) {
      RidgeArm ridge = ridge(blocks, candidates, place);
      double width = Math.sqrt(ridge.squaredWidth(candidates.features(place)));
      double score = out.mean[place] + radius.of(ridge) * width;
      out.score[place] = score;
      best = score > best ? score : best;
      bound[place] = Double.NEGATIVE_INFINITY;
      out.visited++;
      place = highest(bound, out.size);
    }
    return best;
  }

  /** Returns the place of the highest bound, or -1 if all were visited. */
  private static int highest(double[] bound, int size) {
    int highest = -1;
    double top = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < size; place++) {
      if (bound[place] > top) {
        top = bound[place];
        highest = place;
      }
    }
    return highest;
  }
}
