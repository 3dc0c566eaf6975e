package io.equipoise.evidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares each group with all others, after every {@value #ROWS_PER_LOOK} rows for ever
 * (docs/math/watch.md#groups). Two groups are one test. Mutable, for one thread: the counts, the
 * alarms, which stay once raised, and the detector of changes are state. The total is the sum of
 * the counts.
 */
public final class GroupMonitor {
  public static final int ROWS_PER_LOOK = 100;

  /** A bound that is below a threshold by less is not trusted: rounding may exceed it. */
  private static final double ROUNDING = 1e-6;

  private final Ends tolerated;
  private final double alpha;
  private final GroupCounts[] counts;
  private final boolean[] alarms;
  private final ChangeDetector changes;
  private GroupCounts total = GroupCounts.NONE;

  /**
   * Begins without a row.
   *
   * @param groups at least 2
   * @param tolerance a gap of at most so much is none; outcomes are in [0, 1]
   * @param alpha probability that a false alarm is ever raised, at most
   * @param rowsBetweenFalseAlarms mean number of rows to a false change alarm, at least
   */
  public GroupMonitor(int groups, double tolerance, double alpha, double rowsBetweenFalseAlarms) {
    tolerated = new Ends(-tolerance, tolerance);
    this.alpha = alpha;
    counts = new GroupCounts[groups];
    Arrays.fill(counts, GroupCounts.NONE);
    alarms = new boolean[tests(groups)];
    changes = new ChangeDetector(tolerance, rowsBetweenFalseAlarms / ROWS_PER_LOOK);
  }

  /** Returns how many tests so many groups need: 1 for a pair. */
  public static int tests(int groups) {
    return groups == 2 ? 1 : groups;
  }

  static boolean mayReach(double bound, double threshold) {
    return bound >= threshold - ROUNDING;
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
    changes.row(seq);
  }

  /** Looks, when the rows are a multiple of the look; returns whether an alarm is raised. */
  public boolean look() {
    double threshold = StrictMath.log(tests() / alpha);
    boolean isRaised = false;
    for (int test = 0; test < tests(); test++) {
      boolean isAlarm =
          !alarms[test]
              && mayReach(
                  GapEvidence.twoSidedAtMost(counts[test], others(test), tolerated), threshold)
              && logEvalue(test) >= threshold;
      alarms[test] |= isAlarm;
      isRaised |= isAlarm;
    }
    return changes.look() || isRaised;
  }

  /** Returns the number of tests; test i is of group i. */
  public int tests() {
    return alarms.length;
  }

  /** Returns the counts of all groups together. */
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
    return GapEvidence.twoSided(counts[test], others(test), tolerated);
  }

  /** Returns an interval of the gap; all intervals hold at all rows but with probability alpha. */
  public Ends gap(int test) {
    return gap(counts[test], others(test));
  }

  private Ends gap(GroupCounts of, GroupCounts others) {
    double level = alpha / (2.0 * tests());
    return new Ends(GapEvidence.lower(of, others, level), -GapEvidence.lower(others, of, level));
  }

  /** Returns whether a test has raised its alarm, which stays. */
  public boolean isAlarmed(int test) {
    return alarms[test];
  }

  /** Returns which tests e-BH flags at this moment. */
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
    return changes.log(false);
  }

  public long changeAlarms() {
    return changes.alarms;
  }

  /** Returns the seq of the first row of the change that the last change alarm shows, or null. */
  public @Nullable Long changeSince() {
    return changes.alarms == 0 ? null : (Long) changes.since;
  }

  /**
   * Detects a gap that is new: sums the evidence of the rows since many earlier looks, the starts
   * (docs/math/watch.md#change; e-detectors: Shin, Ramdas and Rinaldo 2024). An alarm drops all
   * starts; the gap that follows is then the one to compare with, so that a lasting gap is one
   * change. About 2 log2(looks) starts are kept. Mutable.
   */
  private final class ChangeDetector {
    /** A start that has seen no row yet has no first seq. */
    private static final long NONE = -1;

    private final double tolerance;
    private final double logThreshold;
    private final List<Start> starts = new ArrayList<>();

    /** The gap of each test that is no change. */
    private Ends[] known = new Ends[tests()];

    private long look;
    private long alarms;

    /** The first row of the start with the most evidence at the last alarm. */
    private long since = NONE;

    /** The counts of all groups at an earlier look, and the seq of the first row after it. */
    private static final class Start {
      final long look;
      final GroupCounts[] counts;
      final Ends[] known;
      long firstSeq = NONE;

      Start(long look, GroupCounts[] counts, Ends[] known) {
        this.look = look;
        this.counts = counts;
        this.known = known;
      }
    }

    /**
     * Begins with the start of look 0.
     *
     * @param looksBetweenFalseAlarms mean number of looks to a false alarm, at least
     */
    ChangeDetector(double tolerance, double looksBetweenFalseAlarms) {
      this.tolerance = tolerance;
      this.logThreshold = StrictMath.log(1 + looksBetweenFalseAlarms);
      Arrays.fill(known, tolerated);
      starts.add(new Start(0, counts.clone(), known));
    }

    void row(long seq) {
      Start newest = starts.get(starts.size() - 1);
      newest.firstSeq = newest.firstSeq == NONE ? seq : newest.firstSeq;
    }

    /** Looks at the counts of all rows; returns whether that raises an alarm. */
    boolean look() {
      look++;
      boolean isAlarm = mayReach(log(true), logThreshold) && log(false) >= logThreshold;
      if (isAlarm) {
        alarms++;
        since = strongest().firstSeq;
        starts.clear();
        look = 0;
      }
      if (alarms > 0 && Long.bitCount(look) <= 1) {
        known = gapsSince(isAlarm ? counts : starts.get(0).counts);
      }
      starts.removeIf(start -> !isKept(start.look, look));
      starts.add(new Start(look, counts.clone(), known));
      return isAlarm;
    }

    /** Returns intervals of the gaps, each wider by the tolerance. */
    private Ends[] gapsSince(GroupCounts[] before) {
      Ends[] gaps = new Ends[tests()];
      for (int test = 0; test < gaps.length; test++) {
        Ends gap = gap(of(test, before), others(test, before));
        gaps[test] =
            new Ends(Math.max(-1, gap.low() - tolerance), Math.min(1, gap.high() + tolerance));
      }
      return gaps;
    }

    private GroupCounts of(int group, GroupCounts[] before) {
      return counts[group].minus(before[group]);
    }

    private GroupCounts others(int group, GroupCounts[] before) {
      GroupCounts others = GroupCounts.NONE;
      for (int i = 0; i < counts.length; i++) {
        others = i == group ? others : others.plus(of(i, before));
      }
      return others;
    }

    /**
     * Returns whether a start is kept: those at multiples of greater powers of 2 are for longer.
     */
    private static boolean isKept(long start, long look) {
      return start == 0 || look - start < 4L << Long.numberOfTrailingZeros(start);
    }

    /**
     * Returns the logarithm of the evidence of a change.
     *
     * @param isBound whether a number that it does not exceed, and is mostly near, is enough
     */
    private double log(boolean isBound) {
      double[] logs = new double[starts.size() * tests()];
      int at = 0;
      for (Start start : starts) {
        for (int test = 0; test < tests(); test++) {
          logs[at++] = log(start, test, isBound);
        }
      }
      return LogMeanExp.of(logs) + StrictMath.log(starts.size());
    }

    private double log(Start start, int test, boolean isBound) {
      GroupCounts of = of(test, start.counts);
      GroupCounts others = others(test, start.counts);
      return isBound
          ? GapEvidence.twoSidedAtMost(of, others, start.known[test])
          : GapEvidence.twoSided(of, others, start.known[test]);
    }

    private Start strongest() {
      Start found = starts.get(0);
      double most = Double.NEGATIVE_INFINITY;
      for (Start start : starts) {
        for (int test = 0; test < tests(); test++) {
          double log = log(start, test, false);
          found = log > most ? start : found;
          most = Math.max(most, log);
        }
      }
      return found;
    }
  }
}
