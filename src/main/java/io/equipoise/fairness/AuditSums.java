package io.equipoise.fairness;

import io.equipoise.event.AuditVerdict;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The running audit sums of one segment. Mutable; {@link #copy} is deep.
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
public final class AuditSums {
  private static final byte VERSION = 1;
  private static final int MAX_LEVELS = 1 << 20;
  private static final int GROUP_BYTES = Long.BYTES + Double.BYTES;

  private final int[] levels;
  private final int[] firstGroup;
  private final long[] verdicts = new long[AuditVerdict.values().length];
  private final long[] groupRewards;
  private final double[] groupMeans;
  private long decisions;
  private long certified;
  private long fallbacks;
  private long violations;
  private ViolationSums excesses = new ViolationSums();
  private OverlapAlarm alarm = new OverlapAlarm();

  /** Starts at zero for sensitive attributes with these numbers of levels. */
  public AuditSums(int... levels) {
    this.levels = levels.clone();
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
    ByteBuffer bytes = ByteBuffer.allocate(byteLength());
    appendTo(bytes);
    return readFrom(bytes.flip());
  }

  public int byteLength() {
    int counts = 1 + 4 + 4 * levels.length + 8 * (4 + verdicts.length) + 16 * groupRewards.length;
    return counts + excesses.byteLength() + alarm.byteLength();
  }

  /** Writes the layout above; equal sums write equal bytes. The buffer must be big-endian. */
  public void appendTo(ByteBuffer out) {
    out.put(VERSION).putInt(levels.length);
    for (int count : levels) {
      out.putInt(count);
    }
    out.putLong(decisions).putLong(certified).putLong(fallbacks).putLong(violations);
    for (long count : verdicts) {
      out.putLong(count);
    }
    excesses.appendTo(out);
    for (int group = 0; group < groupRewards.length; group++) {
      out.putLong(groupRewards[group]).putDouble(groupMeans[group]);
    }
    alarm.appendTo(out);
  }

  /** Reads the output of {@link #appendTo}; rejects invalid lengths before it allocates. */
  public static AuditSums readFrom(ByteBuffer in) {
    byte version = in.get();
    int attributes = in.getInt();
    if (version != VERSION || attributes < 0 || attributes > in.remaining() / 4) {
      throw new IllegalArgumentException(
          "audit sums of version " + version + " with " + attributes + " attributes");
    }
    int[] levels = new int[attributes];
    long groups = 0;
    for (int attribute = 0; attribute < attributes; attribute++) {
      levels[attribute] = in.getInt();
      if (levels[attribute] < 0 || levels[attribute] > MAX_LEVELS) {
        throw new IllegalArgumentException("audit sums with " + levels[attribute] + " levels");
      }
      groups += levels[attribute];
    }
    if (groups > in.remaining() / GROUP_BYTES) {
      throw new IllegalArgumentException(
          "audit sums of " + groups + " groups in " + in.remaining() + " bytes");
    }
    AuditSums sums = new AuditSums(levels);
    sums.readSums(in);
    return sums;
  }

  private void readSums(ByteBuffer in) {
    decisions = in.getLong();
    certified = in.getLong();
    fallbacks = in.getLong();
    violations = in.getLong();
    for (int verdict = 0; verdict < verdicts.length; verdict++) {
      verdicts[verdict] = in.getLong();
    }
    excesses = ViolationSums.readFrom(in);
    for (int group = 0; group < groupRewards.length; group++) {
      groupRewards[group] = in.getLong();
      groupMeans[group] = in.getDouble();
    }
    alarm = OverlapAlarm.readFrom(in);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AuditSums sums && Arrays.equals(bytes(), sums.bytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes());
  }

  /** Returns the layout above, which digests cover. */
  public byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(byteLength());
    appendTo(bytes);
    return bytes.array();
  }

  private int group(int attribute, int level) {
    if (level < 0 || level >= levels[attribute]) {
      throw new IllegalArgumentException("level " + level + " of sensitive attribute " + attribute);
    }
    return firstGroup[attribute] + level;
  }
}
