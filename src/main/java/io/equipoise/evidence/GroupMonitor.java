package io.equipoise.evidence;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Compares each group with all others, after every {@value #ROWS_PER_LOOK} rows for ever
 * (docs/math/watch.md#groups). Two groups are one test. Mutable.
 */
public final class GroupMonitor {
  /** Rows between two looks. */
  public static final int ROWS_PER_LOOK = 100;

  /** A bound that is below a threshold by less is not trusted: rounding may exceed it. */
  private static final double ROUNDING = 1e-6;

  private final double tolerance;
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
    this.tolerance = tolerance;
    this.alpha = alpha;
    counts = new GroupCounts[groups];
    Arrays.fill(counts, GroupCounts.NONE);
    alarms = new boolean[tests(groups)];
    changes = new ChangeDetector(groups, tolerance, rowsBetweenFalseAlarms / ROWS_PER_LOOK);
  }

  /** Returns how many tests so many groups need: 1 for a pair. */
  static int tests(int groups) {
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
                  GapEvidence.twoSidedAtMost(counts[test], others(test), tolerance), threshold)
              && logEvalue(test) >= threshold;
      alarms[test] |= isAlarm;
      isRaised |= isAlarm;
    }
    boolean isChange = changes.look(counts);
    return isChange || isRaised;
  }

  /** Returns the number of tests; test i is of group i. */
  public int tests() {
    return alarms.length;
  }

  public long rows() {
    return total.rows();
  }

  /** Returns how many outcomes are missing. */
  public long missing() {
    return total.missing();
  }

  public GroupCounts of(int group) {
    return counts[group];
  }

  public GroupCounts others(int group) {
    return total.minus(counts[group]);
  }

  /** Returns the logarithm of the e-value against a gap within the tolerance. */
  public double logEvalue(int test) {
    return GapEvidence.twoSided(counts[test], others(test), tolerance);
  }

  /** Returns an interval of the gap; all intervals hold at all rows but with probability alpha. */
  public Ends gap(int test) {
    double level = alpha / (2.0 * tests());
    return new Ends(
        GapEvidence.lower(counts[test], others(test), level),
        -GapEvidence.lower(others(test), counts[test], level));
  }

  /** Returns whether a test has raised its alarm, which stays. */
  public boolean isAlarmed(int test) {
    return alarms[test];
  }

  /** Returns which tests e-BH flags at this moment. */
  public boolean[] flagged() {
    double[] logs = new double[tests()];
    Arrays.setAll(logs, this::logEvalue);
    return EBenjaminiHochberg.flagged(logs, alpha);
  }

  /** Returns the logarithm of the evidence that a gap is new. */
  public double logChange() {
    return changes.log(counts);
  }

  /** Returns how many change alarms were raised. */
  public long changeAlarms() {
    return changes.alarms();
  }

  /** Returns the seq of the first row of the change that the last change alarm shows, or null. */
  public @Nullable Long changeSince() {
    return changes.since();
  }
}
