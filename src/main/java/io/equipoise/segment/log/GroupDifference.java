package io.equipoise.segment.log;

import io.equipoise.event.GroupMean;
import io.equipoise.fairness.AuditSums;
import io.equipoise.policy.JointGroup;
import io.equipoise.segmentspec.GroupSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the mean rewards of two groups are apart: where the policy balances two sides, the
 * measure of Fair-LinUCB, |rbar(s+) - rbar(s-)| over all rewards of either side; else the widest
 * gap between two levels of one attribute.
 *
 * <p>Sides of one attribute are pooled from the segment's audit sums, so from its first reward on,
 * whatever the policy forgets. Of joint levels only the policy's own means are kept: what it
 * forgets is forgotten here too.
 *
 * @param of what is balanced, null where nothing is
 * @param size null before both groups have a reward
 */
record GroupDifference(@Nullable String of, @Nullable Double size) {

  /** Stands between attributes, and between levels, that are taken together. */
  private static final String JOINT = "*";

  static GroupDifference in(
      AuditSums audit, SegmentSpec spec, List<GroupMean> groups, List<JointGroup> joint) {
    GroupSpec balanced = spec.policy().family().groups();
    if (balanced == null) {
      return new GroupDifference(null, GroupMean.widestGap(groups));
    }
    if (balanced.attributes().size() > 1) {
      return between(
          balanced, mean(joint, balanced.privileged()), mean(joint, balanced.protectedLevels()));
    }
    SpecVariable attribute = spec.variables().named(balanced.attributes().get(0));
    int feature = spec.variables().features().indexOf(attribute);
    int place = spec.variables().sensitive().indexOf(feature);
    return between(
        balanced,
        mean(audit, place, attribute, balanced.privileged()),
        mean(audit, place, attribute, balanced.protectedLevels()));
  }

  private static GroupDifference between(GroupSpec balanced, double privileged, double shielded) {
    double size = Math.abs(privileged - shielded);
    return new GroupDifference(
        String.join(JOINT, balanced.attributes()), Double.isNaN(size) ? null : (Double) size);
  }

  /** Returns the mean of all rewards of a side, NaN before the first. */
  private static double mean(
      AuditSums audit, int place, SpecVariable attribute, List<List<String>> side) {
    long rewards = 0;
    double sum = 0;
    for (List<String> level : side) {
      int index = attribute.levels().indexOf(level.get(0));
      rewards += audit.groupRewards(place, index);
      sum += audit.groupRewards(place, index) * audit.groupMean(place, index);
    }
    return sum / rewards;
  }

  private static double mean(List<JointGroup> joint, List<List<String>> side) {
    List<String> names = side.stream().map(levels -> String.join(JOINT, levels)).toList();
    double weight = 0;
    double sum = 0;
    for (JointGroup group : joint) {
      if (names.contains(group.levels())) {
        weight += group.weight();
        sum += group.weight() * group.mean();
      }
    }
    return sum / weight;
  }
}
