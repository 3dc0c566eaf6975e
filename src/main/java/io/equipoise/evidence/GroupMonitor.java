package io.equipoise.evidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares each group with all others, after every {@value #ROWS_PER_LOOK} rows for ever
 * (docs/math/watch.md#groups). Two groups are one test.
 *
 * <p>A gap that is new is found by the sum of the evidence of the rows since many earlier looks,
 * the starts (docs/math/watch.md#change; e-detectors: Shin, Ramdas and Rinaldo 2024). An alarm of a
 * change drops all starts; the gap that follows is then the one to compare with, so that a lasting
 * gap is one change. About 2 log2(looks) starts are kept.
 *
 * <p>Mutable, for one thread: the counts, the alarms, which stay once raised, and the starts are
 * state.
 */
public final class GroupMonitor {
  public static final int ROWS_PER_LOOK = 100;

  /** A bound that is below a threshold by less is not trusted: rounding may exceed it. */
  private static final double ROUNDING = 1e-6;

  private static final long NONE = -1;

  private final double tolerance;
  private final double alpha;
  private final double changeThreshold;
  private final GroupCounts[] counts;
  private final boolean[] alarms;

  /** The start before the first row, which evidence over all rows is since. */
  private final Start beginning;

  private final List<Start> starts = new ArrayList<>();
  private GroupCounts total = GroupCounts.NONE;

  /** The gap of each test that is no change. */
  private Ends[] known;

  /** Looks since the beginning, or since the last change. */
  private long look;

  private long changeAlarms;
  private @Nullable Long changeSince;

  /** The counts at an earlier look, and the seq of the first row after it. */
  private static final class Start {
    final long look;
    final GroupCounts[] counts;
    final GroupCounts total;
    final Ends[] known;
    long firstSeq = NONE;

    Start(long look, GroupMonitor now) {
      this.look = look;
      counts = now.counts.clone();
      total = now.total;
      known = now.known;
    }
  }

  /**
   * Begins without a row.
   *
   * @param groups at least 2
   * @param tolerance a gap of at most so much is none; outcomes are in [0, 1]
   * @param alpha probability that a false alarm is ever raised, at most
   * @param rowsBetweenFalseAlarms mean number of rows to a false change alarm, at least
   */
  public GroupMonitor(int groups, double tolerance, double alpha, double rowsBetweenFalseAlarms) {
    this.tolerance = tolerance;
    this.alpha = alpha;
    changeThreshold = StrictMath.log(1 + rowsBetweenFalseAlarms / ROWS_PER_LOOK);
    counts = new GroupCounts[groups];
    Arrays.fill(counts, GroupCounts.NONE);
    alarms = new boolean[tests(groups)];
    known = new Ends[alarms.length];
    Arrays.fill(known, new Ends(-tolerance, tolerance));
    beginning = new Start(0, this);
    starts.add(beginning);
  }

  /** Returns how many tests so many groups need: 1 for a pair. */
  public static int tests(int groups) {
    return groups == 2 ? 1 : groups;
  }

  /**
   * Adds a row.
   *
   * @param outcome in [0, 1]; NaN if it is missing
   * @param seq of the row's decision
   */
  public void add(int group, double outcome, long seq) {
    counts[group] = counts[group].plus(outcome);
    total = total.plus(outcome);
    Start newest = starts.get(starts.size() - 1);
    newest.firstSeq = newest.firstSeq == NONE ? seq : newest.firstSeq;
  }

  /** Looks, when the rows are a multiple of the look; returns whether an alarm is raised. */
  public boolean look() {
    double threshold = StrictMath.log(tests() / alpha);
    boolean isRaised = false;
    for (int test = 0; test < tests(); test++) {
      boolean isAlarm =
          !alarms[test]
              && mayReach(log(beginning, test, true), threshold)
              && logEvalue(test) >= threshold;
      alarms[test] |= isAlarm;
      isRaised |= isAlarm;
    }
    look++;
    if (mayReach(logChange(true), changeThreshold) && logChange() >= changeThreshold) {
      changeAlarms++;
      changeSince = strongest().firstSeq;
      starts.clear();
      look = 0;
      isRaised = true;
    }
    if (changeAlarms > 0 && Long.bitCount(look) <= 1) {
      known = gapsSince(look == 0 ? new Start(look, this) : starts.get(0));
    }
    starts.removeIf( // those at multiples of greater powers of 2 are kept for longer
        start ->
            start.look > 0 && look - start.look >= 4L << Long.numberOfTrailingZeros(start.look));
    starts.add(new Start(look, this));
    return isRaised;
  }

  /** Returns intervals of the gaps, each wider by the tolerance. */
  private Ends[] gapsSince(Start start) {
    Ends[] gaps = new Ends[tests()];
    for (int test = 0; test < gaps.length; test++) {
      Ends gap = gap(start, test);
      gaps[test] =
          new Ends(Math.max(-1, gap.low() - tolerance), Math.min(1, gap.high() + tolerance));
    }
    return gaps;
  }

  private static boolean mayReach(double bound, double threshold) {
    return bound >= threshold - ROUNDING;
  }

  /** Returns the number of tests; test i is of group i. */
  public int tests() {
    return alarms.length;
  }

  public GroupCounts total() {
    return total;
  }

  public GroupCounts of(int group) {
    return counts[group];
  }

  public GroupCounts others(int group) {
    return total.minus(counts[group]);
  }

  /** Returns the logarithm of the e-value against a gap within the tolerance. */
  public double logEvalue(int test) {
    return log(beginning, test, false);
  }

  /**
   * Returns the logarithm of the e-value of the rows since a start.
   *
   * @param isBound whether a number that it does not exceed, and is mostly near, is enough
   */
  private double log(Start start, int test, boolean isBound) {
    GroupCounts of = counts[test].minus(start.counts[test]);
    GroupCounts others = total.minus(start.total).minus(of);
    return isBound
        ? GapEvidence.twoSidedAtMost(of, others, start.known[test])
        : GapEvidence.twoSided(of, others, start.known[test]);
  }

  /** Returns an interval of the gap; all intervals hold at all rows but with probability alpha. */
  public Ends gap(int test) {
    return gap(beginning, test);
  }

  private Ends gap(Start start, int test) {
    GroupCounts of = counts[test].minus(start.counts[test]);
    GroupCounts others = total.minus(start.total).minus(of);
    double level = alpha / (2.0 * tests());
    return new Ends(GapEvidence.lower(of, others, level), -GapEvidence.lower(others, of, level));
  }

  public boolean isAlarmed(int test) {
    return alarms[test];
  }

  public boolean[] flagged() {
    double[] logs = new double[tests()];
    Arrays.setAll(logs, this::logEvalue);
    return flagged(logs, alpha);
  }

  /**
   * Returns which of k e-values e-BH flags (Wang and Ramdas, "False discovery rate control with
   * e-values", JRSS B 2022): the r greatest, with the greatest r whose r-th e-value is at least k /
   * (alpha r). At one stopping time the expected share of false flags is at most alpha, whatever
   * the dependence.
   *
   * @param logs of the e-values
   */
  static boolean[] flagged(double[] logs, double alpha) {
    double[] ascending = logs.clone();
    Arrays.sort(ascending);
    int k = logs.length;
    double least = Double.POSITIVE_INFINITY;
    for (int r = 1; r <= k; r++) {
      double log = ascending[k - r];
      least = log >= StrictMath.log(k / (alpha * r)) ? log : least;
    }
    boolean[] flagged = new boolean[k];
    for (int i = 0; i < k; i++) {
      flagged[i] = logs[i] >= least;
    }
    return flagged;
  }

  /** Returns the logarithm of the evidence that a gap is new. */
  public double logChange() {
    return logChange(false);
  }

  private double logChange(boolean isBound) {
    double[] logs = new double[starts.size() * tests()];
    Arrays.setAll(logs, i -> log(starts.get(i / tests()), i % tests(), isBound));
    return LogMeanExp.of(logs) + StrictMath.log(starts.size());
  }

  private Start strongest() {
    ToDoubleFunction<Start> most =
        start ->
            IntStream.range(0, tests()).mapToDouble(i -> log(start, i, false)).max().orElseThrow();
    return Collections.max(starts, Comparator.comparingDouble(most));
  }

  public long changeAlarms() {
    return changeAlarms;
  }

  /** Returns the seq of the first row of the change that the last change alarm shows, or null. */
  public @Nullable Long changeSince() {
    return changeSince;
  }
}
