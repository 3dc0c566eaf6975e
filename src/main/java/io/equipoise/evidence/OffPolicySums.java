package io.equipoise.evidence;

import org.jspecify.annotations.Nullable;

/**
 * Estimates the running mean value of a policy from the log of another one, and its difference to
 * that policy, with intervals that hold at all rows at once (docs/math/watch.md#running-means).
 * Rewards are scaled to [0, 1]. Mutable: all fields are running sums over the rows; estimates and
 * intervals are computed from them at each call.
 */
public final class OffPolicySums {
  private final BetMixture differenceLow = new BetMixture();
  private final BetMixture differenceHigh = new BetMixture();
  private final PolicyValue value = new PolicyValue();
  private long known;
  private double rewards;
  private double weighted;
  private double weightedKnown;
  private double weights;
  private double squaredWeights;
  private double maxWeight;
  private double unsupported;

  /**
   * Adds a row.
   *
   * @param unseen the policy's probability of arms that are none of the log's
   */
  public void add(RowScores row, double unseen) {
    differenceLow.add(row.scores(1, false));
    differenceHigh.add(row.scores(1, true));
    value.add(row);
    double reward = row.reward();
    double w = row.weight();
    weights += w;
    squaredWeights += w * w;
    maxWeight = Math.max(maxWeight, w);
    unsupported += unseen + row.unsupported();
    if (!Double.isNaN(reward)) {
      known++;
      rewards += reward;
      weighted += w * reward;
      weightedKnown += w;
    }
  }

  public long rows() {
    return value.rows();
  }

  public long missing() {
    return rows() - known;
  }

  public PolicyValue value() {
    return value;
  }

  public double difference() {
    return differenceLow.mean();
  }

  /** Returns the interval of the difference; each end fails with at most a probability of level. */
  public Ends difference(double level) {
    return new Ends(differenceLow.lower(level, -1, 1), -differenceHigh.lower(level, -1, 1));
  }

  /** Returns the logarithm of the evidence that the difference exceeds a number. */
  public double evidence(double difference) {
    return differenceLow.evidence(difference);
  }

  /** Returns the mean known reward of the log; null without one. */
  public @Nullable Double loggedMean() {
    return known == 0 ? null : (Double) (rewards / known);
  }

  /** Returns the inverse propensity estimate over known rewards; null without one. */
  public @Nullable Double ips() {
    return known == 0 ? null : (Double) (weighted / known);
  }

  /** Returns the self-normalized estimate (Swaminathan and Joachims 2015); null without weight. */
  public @Nullable Double snips() {
    return weightedKnown == 0 ? null : (Double) (weighted / weightedKnown);
  }

  /** Returns the mean weight: 1 on average if the propensities are right. */
  public double meanWeight() {
    return rows() == 0 ? 0 : weights / rows();
  }

  public double maxWeight() {
    return maxWeight;
  }

  /** Returns the effective sample size (Kish 1965). */
  public double effectiveRows() {
    return squaredWeights == 0 ? 0 : weights * weights / squaredWeights;
  }

  /** Returns the mean probability of arms that the log cannot show. */
  public double unsupported() {
    return rows() == 0 ? 0 : unsupported / rows();
  }

  /**
   * Forecasts how many more rows the evidence that the difference exceeds a number needs, if scores
   * go on as before; null if the estimate does not exceed it.
   *
   * @param log of the evidence that is needed
   */
  public @Nullable Double moreRows(double difference, double log) {
    double d = difference() - difference;
    return d <= 0
        ? null
        : (Double) Math.max(0, 2 * differenceLow.variance() / (d * d) * (log + 1.2) - rows());
  }

  /** Bets on the value scores of a policy: evidence about its running mean value. Mutable. */
  public static final class PolicyValue implements MeanEvidence {
    private final BetMixture low = new BetMixture();
    private final BetMixture high = new BetMixture();

    public void add(RowScores row) {
      low.add(row.scores(0, false));
      high.add(row.scores(0, true));
    }

    @Override
    public long rows() {
      return low.rows();
    }

    public double mean() {
      return low.mean();
    }

    /**
     * Returns an interval; each end fails, at any row ever, with at most a probability of level.
     */
    public Ends ends(double level) {
      return new Ends(low.lower(level, 0, 1), 1 - high.lower(level, 0, 1));
    }

    @Override
    public double[] above(double x) {
      return low.bets(x);
    }

    @Override
    public double[] below(double x) {
      return high.bets(1 - x);
    }
  }
}
