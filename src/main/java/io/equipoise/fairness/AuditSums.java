package io.equipoise.fairness;

import io.equipoise.event.AuditVerdict;
import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the running audit sums of one segment. Mutable; {@link #copy} is deep. All fields are state
 * but the first group of each attribute, which is derived from the numbers of levels.
 *
 * <p>Groups are the levels of the sensitive attributes in the order of the context vector:
 * attribute by attribute, level by level, with the level "undisclosed" last if an attribute has
 * one.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)                 1 attributes (i32)         levels of each (i32 each)
 *     decisions (i64)                certified (i64)            fallbacks (i64)   violations (i64)
 *     findings by verdict (6 x i64, in the order of {@code AuditVerdict})
 *     violation sums in their own layout
 *     per group: rewards (i64), mean (f64)
 *     overlap alarm in its own layout
 * </pre>
 */
@SuppressWarnings("EnumOrdinal") // the order of verdicts is part of the layout
public final class AuditSums extends Stored {
  private static final byte VERSION = 1;
  private static final int MAX_LEVELS = 1 << 20;
  private static final int GROUP_BYTES = Long.BYTES + Double.BYTES;

  private final long[] verdicts = new long[AuditVerdict.values().length];
  private int[] levels = {};
  private int[] firstGroup = {};
  private long[] groupRewards = {};
  private double[] groupMeans = {};
  private long decisions;
  private long certified;
  private long fallbacks;
  private long violations;
  private ViolationSums excesses = new ViolationSums();
  private OverlapAlarm alarm = new OverlapAlarm();

  /** Starts at zero for sensitive attributes with these numbers of levels. */
  public AuditSums(int... levels) {
    start(levels.clone());
  }

  private void start(int[] counts) {
    levels = counts;
    firstGroup = new int[levels.length];
    int groups = 0;
    for (int attribute = 0; attribute < levels.length; attribute++) {
      firstGroup[attribute] = groups;
      groups = Math.addExact(groups, levels[attribute]);
    }
    groupRewards = new long[groups];
    groupMeans = new double[groups];
  }

  /**
   * Adds one decision with all its findings. It is a violation if some estimate exceeds the
   * threshold; the largest excess is added to the running violations.
   *
   * @param excluded gravest verdict on the candidate with a higher reward that was excluded; null
   *     if there was none
   */
  public void decided(
      List<AuditFinding> findings,
      boolean isCertified,
      boolean isFallback,
      @Nullable AuditVerdict excluded) {
    decisions++;
    certified += isCertified ? 1 : 0;
    fallbacks += isFallback ? 1 : 0;
    double worst = 0;
    for (AuditFinding finding : findings) {
      verdicts[finding.verdict().ordinal()]++;
      worst = Math.max(worst, finding.violation());
    }
    violations += worst > 0 ? 1 : 0;
    excesses.decided(AuditFinding.excess(findings), AuditFinding.upperExcess(findings));
    alarm.decided(
        AuditFinding.gravest(findings) == AuditVerdict.NO_OVERLAP
            || excluded == AuditVerdict.NO_OVERLAP);
  }

  /** Returns the running violations after a decision with these findings. */
  public ViolationSums after(List<AuditFinding> findings) {
    ViolationSums after = excesses.copy();
    after.decided(AuditFinding.excess(findings), AuditFinding.upperExcess(findings));
    return after;
  }

  /** Adds one learned reward to the group of every sensitive attribute, given its level index. */
  public void rewarded(int[] sensitiveLevels, double reward) {
    for (int attribute = 0; attribute < levels.length; attribute++) {
      int group = group(attribute, sensitiveLevels[attribute]);
      groupRewards[group]++;
      groupMeans[group] += (reward - groupMeans[group]) / groupRewards[group];
    }
  }

  public long decisions() {
    return decisions;
  }

  public long certified() {
    return certified;
  }

  public long fallbacks() {
    return fallbacks;
  }

  /** Returns the number of decisions with an estimate beyond the threshold. */
  public long violations() {
    return violations;
  }

  /** Returns the running violations by all definitions; must not be modified. */
  public ViolationSums excesses() {
    return excesses;
  }

  /** Returns the overlap alarm; must not be modified. */
  public OverlapAlarm alarm() {
    return alarm;
  }

  /** Returns the number of findings (not decisions) with this verdict. */
  public long findings(AuditVerdict auditVerdict) {
    return verdicts[auditVerdict.ordinal()];
  }

  public int attributes() {
    return levels.length;
  }

  public int levels(int attribute) {
    return levels[attribute];
  }

  public long groupRewards(int attribute, int level) {
    return groupRewards[group(attribute, level)];
  }

  /** Returns the mean reward of a group; 0 before its first reward. */
  public double groupMean(int attribute, int level) {
    return groupMeans[group(attribute, level)];
  }

  /**
   * Returns a copy with more groups; the new ones have no rewards.
   *
   * @param levels numbers of levels of the sensitive attributes, at least those here
   * @param places index of each level of an attribute among those
   */
  public AuditSums regrouped(int[] levels, int[][] places) {
    AuditSums sums = new AuditSums(levels);
    sums.decisions = decisions;
    sums.certified = certified;
    sums.fallbacks = fallbacks;
    sums.violations = violations;
    System.arraycopy(verdicts, 0, sums.verdicts, 0, verdicts.length);
    sums.excesses = excesses.copy();
    sums.alarm = alarm.copy();
    for (int attribute = 0; attribute < this.levels.length; attribute++) {
      for (int level = 0; level < this.levels[attribute]; level++) {
        int from = group(attribute, level);
        int to = sums.group(attribute, places[attribute][level]);
        sums.groupRewards[to] = groupRewards[from];
        sums.groupMeans[to] = groupMeans[from];
      }
    }
    return sums;
  }

  public AuditSums copy() {
    return copyInto(new AuditSums());
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(VERSION);
    int attributes = bytes.count(levels.length, Integer.BYTES);
    int[] counts = bytes.isReading() ? new int[attributes] : levels;
    long groups = 0;
    for (int attribute = 0; attribute < attributes; attribute++) {
      counts[attribute] = bytes.i32(counts[attribute]);
      bytes.check(
          counts[attribute] >= 0 && counts[attribute] <= MAX_LEVELS, "levels", counts[attribute]);
      groups += counts[attribute];
    }
    bytes.fits(groups * GROUP_BYTES);
    if (bytes.isReading()) {
      start(counts);
    }
    decisions = bytes.i64(decisions);
    certified = bytes.i64(certified);
    fallbacks = bytes.i64(fallbacks);
    violations = bytes.i64(violations);
    bytes.i64s(verdicts);
    bytes.part(excesses);
    for (int group = 0; group < groupRewards.length; group++) {
      groupRewards[group] = bytes.i64(groupRewards[group]);
      groupMeans[group] = bytes.f64(groupMeans[group]);
    }
    bytes.part(alarm);
  }

  private int group(int attribute, int level) {
    if (level < 0 || level >= levels[attribute]) {
      throw new IllegalArgumentException("level " + level + " of sensitive attribute " + attribute);
    }
    return firstGroup[attribute] + level;
  }
}
