package io.equipoise.policy.logistic;

import io.equipoise.event.AuditInterval;
import io.equipoise.policy.logistic.OddsBounds.Bound;
import io.equipoise.policy.logistic.OddsBounds.Range;
import io.equipoise.policy.tabular.BetaMixture;
import java.util.Map;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts the intervals of matched pairs from the pairs that can be expected. In a stratum whose
 * people have the two levels with the shares s and t of them, a pair takes 1 + s/t + t/s rewards: a
 * half, and those until one of the other level. At the base rate p a pair is discordant with the
 * chance 2 p (1 - p).
 */
final class PairsForecast extends OddsForecast {
  private final double threshold;
  private final BetaMixture baseRate;
  private final Map<Integer, Integer> strata;

  /**
   * Prepares forecasts.
   *
   * @param threshold of the log wealth
   * @param baseRate bounds the mean of a cell
   * @param strata how many each attribute has, by its place
   */
  PairsForecast(
      Expected expected,
      EffectScale effects,
      double threshold,
      BetaMixture baseRate,
      Map<Integer, Integer> strata) {
    super(expected, effects);
    this.threshold = threshold;
    this.baseRate = baseRate;
    this.strata = strata;
  }

  @Override
  @Nullable Bound after(double decisions, Question question, double quantile) {
    int strata = this.strata.get(question.levels().attribute());
    double one = question.levels().oneShare();
    double other = question.levels().otherShare();
    double rewards = expected.answered() * decisions * question.armShare() / strata;
    double cycle = 1 + one / other + other / one;
    double isOpen = 1 - 1 / cycle;
    double pairs = strata * Math.max(0, rewards * (one + other) / cycle - isOpen / 2);
    double discordant = 2 * slope() * pairs;
    if (discordant < 1) {
      return null;
    }
    double middle = question.effect() / slope();
    double ones =
        Math.min(
            discordant,
            discordant * Logistic.mean(middle)
                + quantile * Math.sqrt(discordant * Logistic.slope(middle)));
    double none = Double.POSITIVE_INFINITY;
    double open = strata * isOpen;
    double anchor =
        effects.atEvenOdds(
            effects == EffectScale.LOG_ODDS
                ? expected.tau() / slope()
                : Math.min(.9, expected.tau()));
    double most = PairTest.end(discordant, ones, open, anchor, threshold, none);
    double least = -PairTest.end(discordant, discordant - ones, open, anchor, threshold, none);
    return Bound.of(
        AuditInterval.PAIRS,
        range(rewards * one, 2 * strata),
        range(rewards * other, 2 * strata),
        least,
        most,
        0,
        0,
        effects);
  }

  /** Returns the log odds of the cell that looks furthest from even odds, of so many cells. */
  private Range range(double rewards, int cells) {
    int n = (int) Math.min(Integer.MAX_VALUE, Math.max(1, Math.rint(rewards)));
    double rate = expected.baseRate();
    double least = 1 - StrictMath.pow(.5, 1.0 / cells);
    double rarer = Math.min(rate, 1 - rate);
    double ones = new BinomialDistribution(null, n, rarer).inverseCumulativeProbability(least);
    double[] ends = new double[2];
    baseRate.limit(n, rate <= .5 ? ones : n - ones, ends);
    return new Range(PairsPlan.odds(ends[0]), PairsPlan.odds(ends[1]));
  }
}
