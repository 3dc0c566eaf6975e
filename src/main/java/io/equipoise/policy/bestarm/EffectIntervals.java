package io.equipoise.policy.bestarm;

import java.util.List;

/**
 * Limits every arm's effect by its weighted samples, at all times and for all arms at once: with
 * probability at least 1 - delta no interval ever misses. The paper's 3/2^l shrinks whatever the
 * samples say, so it limits nothing (docs/math/best-arm.md#the-interval).
 *
 * <p>A sample of arm j with weight w = r f, where f is P_s/P_s' - 1 or its mirror image, and reward
 * y in [0, 1] gives X = w y - c f. Its mean is the effect, whatever c: E[w y] is the effect, and
 * E[f] is 0. Direct estimates have f = 1, and E[X] is the group's mean less c. Weights are not
 * clipped, so nothing is biased: the tables limit X. For X of at least -b and 0 &lt; g b &lt; 1
 *
 * <pre>
 * E exp(g (X - E X) - psi X^2) &lt;= 1,   psi = (-log(1 - g b) - g b) / b^2
 * </pre>
 *
 * <p>(Fan, Grama and Liu 2015, Lemma 4.1; Howard et al. 2021, section 3), so the product over
 * samples, in the order of their decisions, is a nonnegative supermartingale, where g may depend on
 * all that was known when a sample's arm was drawn: its arm and its group. By Ville's inequality E
 * X is at least (sum g X - sum psi X^2 - log(1/alpha)) / sum g, at all times. g is theta over what
 * the tables say of the variance, at most 1 / (2 b), for every theta and c of a fixed grid, each
 * with the same share of alpha. Both groups' samples are one sum; direct estimates have a bound a
 * group, each with half of alpha.
 *
 * <p>Alpha is delta over arms and sides, and over phases where each has its own samples.
 */
final class EffectIntervals {
  /** The centers c of X: rewards are often rare, or about as often there as not. */
  private static final double[] CENTERS = {0, .5};

  private static final int LEAST_POWER = -3;
  private static final int GREATEST_POWER = 3;
  private static final int GRID = CENTERS.length * (GREATEST_POWER - LEAST_POWER + 1);

  private static final double LARGEST_BET = .5;
  private static final double SMALLEST_RANGE = 1e-9;

  private final Design design;
  private final boolean isDirect;

  EffectIntervals(Design design) {
    this.design = design;
    isDirect = design.settings().fairness() == FairnessEstimate.DIRECT;
  }

  /** One channel's part of a sum. */
  private record Part(Channel channel, int group, double sign, Moments moments) {}

  /** Returns the interval of an arm from all samples in the sums. */
  EffectInterval of(SampleSums sums, int arm) {
    return of(sums.moments(0, arm), sums.moments(1, arm), arm);
  }

  /**
   * Returns the interval to be expected of an arm without effect from so many pulls, if each reward
   * is the toss of a coin.
   *
   * @param pulls by type and arm
   */
  EffectInterval expected(double[][] pulls, int arm) {
    return of(expected(0, pulls, arm), expected(1, pulls, arm), arm);
  }

  private Moments expected(int group, double[][] pulls, int k) {
    CsrModel model = design.model();
    Channel channel = design.channels().get(group);
    Moments moments = Moments.blank(model.arms());
    for (int j = 0; j < model.arms(); j++) {
      double ofGroup = 0;
      for (int type = 0; type < pulls.length; type++) {
        double share = type == 0 ? model.share(group) : type == group + 1 ? 1 : 0;
        ofGroup += channel.takes(type, group) ? share * pulls[type][j] : 0;
      }
      moments.n()[j] = Math.round(ofGroup);
      for (int z = 0; z < model.cells(); z++) {
        double share = moments.n()[j] * model.law(group, z);
        double factor = channel.factor(z);
        moments.factors()[j] += share * factor;
        moments.factorSquares()[j] += share * factor * factor;
        for (int v = 0; v < model.levels(); v++) {
          double rewards = share * model.probability(j, z, v) / 2;
          if (rewards > 0) {
            moments.addRewards(j, rewards, factor, channel.weight(k, j, z, v));
          }
        }
      }
    }
    return moments;
  }

  private EffectInterval of(Moments ofS, Moments ofPrime, int arm) {
    Design.Settings settings = design.settings();
    int looks = settings.algorithm().isCumulative ? 1 : design.plan().size();
    double alpha = settings.delta() / (2.0 * design.model().arms() * looks);
    double lower;
    double upper;
    if (isDirect) {
      lower = least(ofS, CsrModel.S, 1, arm, alpha) + least(ofPrime, 1, -1, arm, alpha);
      upper = -least(ofS, CsrModel.S, -1, arm, alpha) - least(ofPrime, 1, 1, arm, alpha);
    } else {
      lower = least(List.of(part(ofPrime, 1, 1), part(ofS, 0, -1)), arm, alpha);
      upper = -least(List.of(part(ofPrime, 1, -1), part(ofS, 0, 1)), arm, alpha);
    }
    return new EffectInterval(Math.max(-1, lower), Math.min(1, upper));
  }

  private Part part(Moments moments, int group, double sign) {
    return new Part(design.channels().get(group), group, sign, moments);
  }

  private double least(Moments moments, int group, double sign, int arm, double alpha) {
    return least(List.of(part(moments, group, sign)), arm, alpha / 2);
  }

  /** Returns a lower limit of the mean of sign w y. */
  private double least(List<Part> parts, int arm, double alpha) {
    double price = StrictMath.log(GRID / alpha);
    double best = Double.NEGATIVE_INFINITY;
    for (double center : CENTERS) {
      for (int power = LEAST_POWER; power <= GREATEST_POWER; power++) {
        double theta = Math.scalb(design.settings().bound(), power);
        double gain = -price;
        double stake = 0;
        for (Part part : parts) {
          for (int j = 0; j < design.model().arms(); j++) {
            long n = part.moments.n()[j];
            if (n == 0 || !part.channel.reaches(arm, j)) {
              continue;
            }
            NoiseRange range = range(part, arm, j, center);
            double bet = Math.min(theta / range.variance, LARGEST_BET / range.below);
            gain += bet * part.sign * part.moments.total(j, center);
            gain -= psi(bet, range.below) * part.moments.totalSquares(j, center);
            stake += bet * n;
          }
        }
        double shift = isDirect ? parts.get(0).sign * center : 0;
        best = stake > 0 ? Math.max(best, gain / stake + shift) : best;
      }
    }
    return best;
  }

  /**
   * Bounds the noise of a sum: how far sign X goes below 0, and the greatest mean of X^2 that the
   * tables allow.
   */
  private record NoiseRange(double below, double variance) {}

  private NoiseRange range(Part part, int k, int j, double center) {
    CsrModel model = design.model();
    double below = SMALLEST_RANGE;
    double variance = SMALLEST_RANGE;
    for (int z = 0; z < model.cells(); z++) {
      double none = -center * part.channel.factor(z);
      for (int v = 0; v < model.levels(); v++) {
        double p = model.probability(j, z, v);
        if (p > 0) {
          double whole = part.channel.weight(k, j, z, v) + none;
          below = Math.max(below, Math.max(-part.sign * none, -part.sign * whole));
          variance += model.law(part.group, z) * p * Math.max(none * none, whole * whole);
        }
      }
    }
    return new NoiseRange(below, variance);
  }

  /** Returns psi, not below it where rounding would eat the difference. */
  private static double psi(double bet, double below) {
    double at = bet * below;
    return at < 1e-3
        ? bet * bet * (.5 + at / 3 + at * at / 2)
        : (-StrictMath.log1p(-at) - at) / (below * below);
  }
}
