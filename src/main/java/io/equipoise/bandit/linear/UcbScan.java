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
  /** The number of products from which a quadratic form is worth leaving out. */
  private static final int WORTH_PRUNING = 100;

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
    int terms = first.isSparse() ? first.nonzeros() : first.dimension();
    if (terms * terms / 2 < WORTH_PRUNING) {
      scoreAll(blocks, candidates, out);
    } else {
      scoreBest(blocks, candidates, out);
    }
    finish(out);
  }

  /** Picks the first of the best scores; says whether its mean is the best, too. */
  private static void finish(LinearRound out) {
    double greatest = Double.NEGATIVE_INFINITY;
    double greatestMean = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < out.size; place++) {
      greatest = Math.max(greatest, out.score[place]);
      greatestMean = Math.max(greatestMean, out.mean[place]);
    }
    int chosen = 0;
    while (out.score[chosen] < greatest - Argmax.TOLERANCE) {
      chosen++;
    }
    out.chosen = chosen;
    out.propensity[chosen] = 1;
    boolean isBestPaid = out.mean[chosen] >= greatestMean - Argmax.TOLERANCE;
    out.why = isBestPaid ? Why.EXPLOIT : Why.EXPLORE;
  }

  private RidgeArm ridge(LinearBlocks blocks, Candidates candidates, int place) {
    return blocks.ridge(isShared ? LinearBlocks.SHARED : candidates.arm(place));
  }

  private void scoreAll(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    for (int place = 0; place < out.size; place++) {
      RidgeArm ridge = ridge(blocks, candidates, place);
      FeatureVector x = candidates.features(place);
      double mean = ridge.mean(x);
      out.mean[place] = mean;
      out.score[place] = mean + radius.of(ridge) * Math.sqrt(ridge.squaredWidth(x));
    }
  }

  private void scoreBest(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    double[] bound = out.index;
    for (int place = 0; place < out.size; place++) {
      RidgeArm ridge = ridge(blocks, candidates, place);
      FeatureVector x = candidates.features(place);
      out.mean[place] = ridge.mean(x);
      double width = Math.sqrt(x.squaredNorm() * ridge.largestEigenvalue());
      bound[place] = out.mean[place] + radius.of(ridge) * width * SAFE;
      out.score[place] = Double.NEGATIVE_INFINITY;
    }
    double best = Double.NEGATIVE_INFINITY;
    out.visited = 0;
    for (int place = highest(bound, out.size);
        bound[place] >= best - 2 * Argmax.TOLERANCE && bound[place] > Double.NEGATIVE_INFINITY;
        place = highest(bound, out.size)) {
      RidgeArm ridge = ridge(blocks, candidates, place);
      double width = Math.sqrt(ridge.squaredWidth(candidates.features(place)));
      out.score[place] = out.mean[place] + radius.of(ridge) * width;
      best = Math.max(best, out.score[place]);
      bound[place] = Double.NEGATIVE_INFINITY;
      out.visited++;
    }
  }

  private static int highest(double[] bound, int size) {
    int highest = 0;
    for (int place = 1; place < size; place++) {
      highest = bound[place] > bound[highest] ? place : highest;
    }
    return highest;
  }
}
