package io.equipoise.tools.evaluate;

import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.NumberRange;
import java.util.Locale;
import org.apache.commons.math3.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the mean reward of a target policy from rows of another policy.
 *
 * <ul>
 *   <li>SNIPS, self-normalized inverse propensity scoring (Swaminathan and Joachims 2015): sum w r
 *       / sum w, with w = target probability / propensity of the logged arm.
 *   <li>DR, doubly robust (Dudik, Langford and Li 2011), with self-normalized weights (Thomas and
 *       Brunskill 2016): mean of the target's predicted reward + sum w (r - q) / sum w. The
 *       prediction q of a row uses rows before only.
 * </ul>
 *
 * <p>Intervals are of the delta method: the variance of the ratio is the sum of squared, normalized
 * residuals. For few effective rows they are made wider in two ways. Two pseudo-rows are added at
 * each end of the reward range, each with the weight of one effective row (Agresti and Coull 1998,
 * for weighted rows). So equal rewards do not give an empty interval. And the quantile is that of
 * Student's t with effective rows - 1 degrees of freedom. The effective sample size is (sum w)^2 /
 * sum w^2 (Kish 1965).
 *
 * <p>An estimate beyond the range, as the doubly robust one may be, is its nearer end.
 *
 * <p>Weights have the mean 1 if the propensities are right. Where their mean is far from 1, by more
 * than few rows explain, there is a value and no interval: it would not hold.
 *
 * <p>Where the log cannot show a share u of the target's choices, their reward may be anything in
 * the range: the interval is (1 - u) times itself plus u times the range.
 *
 * @param confidence of intervals, such as 0.95
 * @param minEffective fewer effective rows are refused
 * @param maxUnsupported a larger share of choices that the log cannot show is refused
 */
public record OffPolicy(
    NumberRange range, double confidence, double minEffective, double maxUnsupported) {
  private static final int PSEUDO_EACH_END = 2;
  private static final int PSEUDO = 2 * PSEUDO_EACH_END;
  private static final double LEAST_MEAN_WEIGHT = 0.8;
  private static final double MOST_MEAN_WEIGHT = 1.25;

  /** A mean weight that is further from its expectation is no accident of few rows. */
  private static final double MOST_DEVIATIONS = 4;

  /** By Markov's inequality a greater mean weight has a probability of at most 1 %. */
  private static final double MOST_BY_CHANCE = 100;

  /**
   * Holds an estimate, or why there is none.
   *
   * @param rows with a reward
   * @param effective effective sample size
   * @param unsupported mean probability of arms that the log cannot show
   * @param meanWeight 1 on average if the propensities are right
   * @param value null if refused
   * @param low null without an interval
   * @param high null without an interval
   * @param refusal why there is no value or no interval; null if there are both
   */
  public record Estimate(
      int rows,
      double effective,
      double unsupported,
      double meanWeight,
      @Nullable Double value,
      @Nullable Double low,
      @Nullable Double high,
      @Nullable String refusal) {
    /**
     * Returns the difference of two estimates of disjoint rows, with the interval that follows from
     * theirs (Zou and Donner 2008); null if one is refused.
     */
    public @Nullable ValueInterval minus(Estimate other) {
      if (value == null || low == null || high == null) {
        return null;
      }
      if (other.value == null || other.low == null || other.high == null) {
        return null;
      }
      double gap = value - other.value;
      return new ValueInterval(
          gap,
          gap - Math.hypot(value - low, other.high - other.value),
          gap + Math.hypot(high - value, other.value - other.low));
    }
  }

  public record ValueInterval(double value, double low, double high) {}

  /** Sums up the weights, which both estimates use. */
  private record Weights(double sum, double squares) {
    double effective() {
      return squares == 0 ? 0 : sum * sum / squares;
    }

    /** The weight that counts as one effective row. */
    double unit() {
      return squares / sum;
    }
  }

  /**
   * Returns the SNIPS estimate.
   *
   * @param weights at least 0, one for each row
   * @param rewards of the same rows
   * @param unsupported mean probability of arms that the log cannot show, 0 to 1
   */
  public Estimate snips(double[] weights, double[] rewards, double unsupported) {
    Weights w = weights(weights);
    String refusal = refusal(weights.length, w, unsupported);
    if (refusal != null) {
      return refused(weights.length, w, unsupported, refusal);
    }
    double effective = w.effective();
    double all = effective + PSEUDO;
    double value = weighted(weights, rewards) / w.sum();
    double ends = PSEUDO_EACH_END * (range.low() + range.high());
    double center = (effective * value + ends) / all;
    double squares =
        PSEUDO_EACH_END * (square(range.low() - center) + square(range.high() - center));
    for (int row = 0; row < weights.length; row++) {
      squares += square(weights[row] / w.unit() * (rewards[row] - center));
    }
    return estimate(weights.length, w, unsupported, value, center, Math.sqrt(squares) / all);
  }

  /**
   * Returns the DR estimate.
   *
   * @param predicted of the logged arm in each row
   * @param direct the target's mean predicted reward in each row
   */
  public Estimate doublyRobust(
      double[] weights, double[] rewards, double[] predicted, double[] direct, double unsupported) {
    Weights w = weights(weights);
    int rows = weights.length;
    String refusal = refusal(rows, w, unsupported);
    if (refusal != null) {
      return refused(rows, w, unsupported, refusal);
    }
    double effective = w.effective();
    double all = effective + PSEUDO;
    double mean = 0;
    double[] residuals = new double[rows];
    for (int row = 0; row < rows; row++) {
      residuals[row] = rewards[row] - predicted[row];
      mean += direct[row] / rows;
    }
    double correction = weighted(weights, residuals) / w.sum();
    double center = effective * correction / all;
    double half = range.width() / 2;
    double squares = PSEUDO_EACH_END * (square(half - center) + square(half + center));
    for (int row = 0; row < rows; row++) {
      double residual = weights[row] / w.unit() * (residuals[row] - center);
      squares += square(residual + (direct[row] - mean) * all / rows);
    }
    return estimate(
        rows, w, unsupported, mean + correction, mean + center, Math.sqrt(squares) / all);
  }

  private Estimate estimate(
      int rows, Weights w, double unsupported, double estimated, double center, double error) {
    double value = Math.max(range.low(), Math.min(range.high(), estimated));
    double meanWeight = w.sum() / rows;
    double deviation = Math.sqrt(Math.max(0, 1 / w.effective() - 1.0 / rows));
    double off = Math.abs(meanWeight - (1 - unsupported));
    double most = MOST_DEVIATIONS * Math.max(1, meanWeight) * deviation;
    if (isFar(meanWeight) && (off > most || meanWeight > MOST_BY_CHANCE)) {
      String doubt =
          String.format(
              Locale.ROOT,
              "no interval: the mean weight is %.3g, and 1 if the propensities are right and the rows"
                  + " are enough; check the propensities",
              meanWeight);
      return new Estimate(rows, w.effective(), unsupported, meanWeight, value, null, null, doubt);
    }
    double freedom = Math.max(1, w.effective() - 1);
    double quantile =
        new TDistribution(null, freedom).inverseCumulativeProbability((1 + confidence) / 2);
    double low = Math.max(range.low(), Math.min(value, center - quantile * error));
    double high = Math.min(range.high(), Math.max(value, center + quantile * error));
    return new Estimate(
        rows,
        w.effective(),
        unsupported,
        meanWeight,
        value,
        (1 - unsupported) * low + unsupported * range.low(),
        (1 - unsupported) * high + unsupported * range.high(),
        null);
  }

  /** Returns whether a mean weight is far from 1, its expectation. */
  static boolean isFar(double meanWeight) {
    return meanWeight < LEAST_MEAN_WEIGHT || meanWeight > MOST_MEAN_WEIGHT;
  }

  private @Nullable String refusal(int rows, Weights w, double unsupported) {
    if (rows == 0) {
      return "no row has a reward in reward.range, %s to %s"
          .formatted(Field.shown(range.low()), Field.shown(range.high()));
    }
    if (unsupported > maxUnsupported) {
      return String.format(
          Locale.ROOT,
          "no overlap: %.1f %% of the target's choices are arms that the log cannot show, at most"
              + " %.1f %% allowed; log with explore over all",
          100 * unsupported,
          100 * maxUnsupported);
    }
    if (w.effective() < minEffective) {
      return String.format(
          Locale.ROOT,
          "too few rows: %.1f effective ones of %d, at least %.1f required; log longer or with more"
              + " exploration",
          w.effective(),
          rows,
          minEffective);
    }
    return null;
  }

  private static Estimate refused(int rows, Weights w, double unsupported, String refusal) {
    double mean = rows == 0 ? 0 : w.sum() / rows;
    return new Estimate(rows, w.effective(), unsupported, mean, null, null, null, refusal);
  }

  private static Weights weights(double[] weights) {
    double sum = 0;
    double squares = 0;
    for (double weight : weights) {
      sum += weight;
      squares += weight * weight;
    }
    return new Weights(sum, squares);
  }

  private static double weighted(double[] weights, double[] values) {
    double sum = 0;
    for (int row = 0; row < weights.length; row++) {
      sum += weights[row] * values[row];
    }
    return sum;
  }

  private static double square(double value) {
    return value * value;
  }
}
