package io.equipoise.evidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Detects a gap that is new: sums the evidence of the rows since many earlier looks, the starts
 * (docs/math/watch.md#change; e-detectors: Shin, Ramdas and Rinaldo 2024). An alarm drops all
 * starts. About 2 log2(looks) starts are kept. Mutable.
 */
final class ChangeDetector {
  /** A start that has seen no row yet has no first seq. */
  private static final long NONE = -1;

  private final int groups;
  private final double tolerance;
  private final double logThreshold;
  private final List<Start> starts = new ArrayList<>();
  private long look;
  private long alarms;
  private long since = NONE;

  /** The counts of all groups at an earlier look, and the seq of the first row after it. */
  private static final class Start {
    final long look;
    long firstSeq = NONE;
    final GroupCounts[] counts;

    Start(long look, GroupCounts[] counts) {
      this.look = look;
      this.counts = counts;
    }
  }

  /**
   * Begins with the start of look 0.
   *
   * @param looksBetweenFalseAlarms mean number of looks to a false alarm, at least
   */
  ChangeDetector(int groups, double tolerance, double looksBetweenFalseAlarms) {
    this.groups = groups;
    this.tolerance = tolerance;
    this.logThreshold = StrictMath.log(1 + looksBetweenFalseAlarms);
    GroupCounts[] none = new GroupCounts[groups];
    Arrays.fill(none, GroupCounts.NONE);
    starts.add(new Start(0, none));
  }

  /** Notes the seq of a row. */
  void row(long seq) {
    Start newest = starts.get(starts.size() - 1);
    newest.firstSeq = newest.firstSeq == NONE ? seq : newest.firstSeq;
  }

  /** Looks at the counts of all rows; returns whether that raises an alarm. */
  boolean look(GroupCounts[] now) {
    look++;
    boolean isAlarm =
        GroupMonitor.mayReach(log(now, true), logThreshold) && log(now, false) >= logThreshold;
    if (isAlarm) {
      alarms++;
      since = newest(now).firstSeq;
      starts.clear();
      look = 0;
    }
    starts.removeIf(start -> !isKept(start.look, look));
    starts.add(new Start(look, now.clone()));
    return isAlarm;
  }

  /** Says whether a start is kept: those at multiples of greater powers of 2 are for longer. */
  private static boolean isKept(long start, long look) {
    return start == 0 || look - start < 4L << Long.numberOfTrailingZeros(start);
  }

  /** Returns the logarithm of the evidence of a change. */
  double log(GroupCounts[] now) {
    return log(now, false);
  }

  /** Returns how many alarms were raised. */
  long alarms() {
    return alarms;
  }

  /** Returns the first row of the start with the most evidence at the last alarm; null before. */
  @Nullable Long since() {
    return alarms == 0 ? null : (Long) since;
  }

  private double log(GroupCounts[] now, boolean isBound) {
    int tests = GroupMonitor.tests(groups);
    double[] logs = new double[starts.size() * tests];
    int at = 0;
    for (Start start : starts) {
      for (int test = 0; test < tests; test++) {
        logs[at++] = log(start, now, test, isBound);
      }
    }
    return LogMeanExp.of(logs) + StrictMath.log(starts.size());
  }

  private double log(Start start, GroupCounts[] now, int group, boolean isBound) {
    GroupCounts of = now[group].minus(start.counts[group]);
    GroupCounts others = GroupCounts.NONE;
    for (int i = 0; i < groups; i++) {
      others = i == group ? others : others.plus(now[i].minus(start.counts[i]));
    }
    return isBound
        ? GapEvidence.twoSidedAtMost(of, others, tolerance)
        : GapEvidence.twoSided(of, others, tolerance);
  }

  private Start newest(GroupCounts[] now) {
    Start found = starts.get(0);
    double most = Double.NEGATIVE_INFINITY;
    for (Start start : starts) {
      for (int test = 0; test < GroupMonitor.tests(groups); test++) {
        double log = log(start, now, test, false);
        found = log > most ? start : found;
        most = Math.max(most, log);
      }
    }
    return found;
  }
}
