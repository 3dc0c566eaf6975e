package io.equipoise.causal.estimand;

import io.equipoise.causal.DistributionException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * Computes basic bootstrap intervals of an estimand's values (Davison and Hinkley 1997, section
 * 5.2). The rows of every table are resampled with replacement. With q the quantiles of the
 * resampled values, the interval is [2 v - q(1 - delta/2), 2 v - q(delta/2)], within [0, 1].
 *
 * <p>Much shorter than simultaneous Clopper-Pearson bounds of all cells, and approximate: valid for
 * many rows, one value at a time. Empty cells stay empty in every replicate.
 */
public final class Bootstrap {
  private static final int FEWEST = 20;

  /** Every value of every replicate is kept until the end. */
  private static final int MOST = 1_000_000;

  private final int replicates;
  private final double delta;
  private final long seed;

  /**
   * Sets up the resampling.
   *
   * @throws IllegalArgumentException if the quantiles are beyond the smallest or largest replicate
   */
  public Bootstrap(int replicates, double delta, long seed) {
    boolean isPossible = replicates >= FEWEST && replicates <= MOST;
    if (!isPossible || !(delta > 0 && delta < 1) || (replicates + 1) * delta < 2) {
      throw new IllegalArgumentException(
          replicates
              + " replicates at delta "
              + delta
              + ": from "
              + FEWEST
              + " to "
              + MOST
              + ", and at least 2 / delta of them");
    }
    this.replicates = replicates;
    this.delta = delta;
    this.seed = seed;
  }

  /**
   * An interval of one value.
   *
   * @param low NaN if the value itself has no rows
   * @param unsupported number of replicates in which the value had no rows; if more than delta of
   *     them, the interval is [0, 1]
   */
  public record PercentileInterval(double low, double high, int unsupported) {}

  /**
   * Returns an interval for each point, in order. Equal seeds draw equal rows.
   *
   * @param points a level of every free variable of the formula, by name
   * @throws DistributionException if a table has weights that are no counts
   */
  public List<PercentileInterval> intervals(
      Estimand formula, ObservedValues observedValues, List<Map<String, Integer>> points) {
    RandomGenerator random = new Well19937c(seed);
    double[][] values = new double[points.size()][replicates];
    for (int replicate = 0; replicate < replicates; replicate++) {
      double[] drawn =
          values(formula, observedValues.map(table -> resampled(table, random)), points);
      for (int point = 0; point < drawn.length; point++) {
        values[point][replicate] = drawn[point];
      }
    }
    double[] here = values(formula, observedValues, points);
    List<PercentileInterval> intervals = new ArrayList<>();
    for (int point = 0; point < here.length; point++) {
      intervals.add(interval(here[point], values[point]));
    }
    return intervals;
  }

  private static double[] values(
      Estimand formula, ObservedValues observedValues, List<Map<String, Integer>> points) {
    Evaluator evaluator = new Evaluator(formula, observedValues);
    return points.stream().mapToDouble(point -> evaluator.at(point).estimate().low()).toArray();
  }

  private PercentileInterval interval(double here, double[] replicated) {
    double[] sorted = Arrays.stream(replicated).filter(v -> !Double.isNaN(v)).sorted().toArray();
    int unsupported = replicates - sorted.length;
    if (Double.isNaN(here)) {
      return new PercentileInterval(Double.NaN, Double.NaN, unsupported);
    }
    if (unsupported > delta * replicates) {
      return new PercentileInterval(0, 1, unsupported);
    }
    double low = 2 * here - quantile(sorted, 1 - delta / 2);
    double high = 2 * here - quantile(sorted, delta / 2);
    return new PercentileInterval(Math.max(0, low), Math.min(1, high), unsupported);
  }

  /** Returns the p (n + 1)-th of n sorted values, interpolated. */
  private static double quantile(double[] sorted, double p) {
    double place = p * (sorted.length + 1) - 1;
    int below = Math.max(0, Math.min(sorted.length - 1, (int) Math.floor(place)));
    int above = Math.min(sorted.length - 1, below + 1);
    double share = Math.max(0, Math.min(1, place - below));
    return sorted[below] + share * (sorted[above] - sorted[below]);
  }

  /** Resamples the rows cell by cell: each binomial given those before it. */
  private static ContingencyTable resampled(ContingencyTable table, RandomGenerator random) {
    if (!table.isCounts() || table.total() > Integer.MAX_VALUE) {
      throw new DistributionException(
          "a bootstrap needs a table of at most 2^31 counted rows, got " + table);
    }
    TreeMap<Long, Long> drawn = new TreeMap<>();
    int left = (int) table.total();
    double weightLeft = table.total();
    for (long code : table.codes()) {
      double weight = table.weight(code);
      int rows =
          weight >= weightLeft || left == 0
              ? left
              : new BinomialDistribution(random, left, weight / weightLeft).sample();
      drawn.put(code, (long) rows);
      left -= rows;
      weightLeft -= weight;
    }
    return ContingencyTable.of(table.variables(), drawn);
  }
}
