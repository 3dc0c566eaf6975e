package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports the mean reward of one group, in units of the reward. */
public record GroupMean(String attribute, String level, long rewards, double mean) {
  /** The level of a person who does not disclose the attribute. */
  public static final String UNDISCLOSED = "undisclosed";

  /** Separates the names of attributes in a joint group. */
  private static final String JOINT = "*";

  /**
   * Returns whether the group is a joint one, of people with equal levels of several attributes.
   */
  public boolean isJoint() {
    return attribute.contains(JOINT);
  }

  /**
   * Returns the largest difference between two groups of one attribute, null before two have
   * rewards. The group of undisclosed levels is not compared.
   */
  public static @Nullable Double widestGap(List<GroupMean> groups) {
    Double widest = null;
    for (GroupMean one : groups) {
      for (GroupMean other : groups) {
        if (one.isComparable()
            && other.isComparable()
            && one.attribute.equals(other.attribute)
            && !one.level.equals(other.level)) {
          double gap = Math.abs(one.mean - other.mean);
          widest = widest == null ? gap : Math.max(widest, gap);
        }
      }
    }
    return widest;
  }

  private boolean isComparable() {
    return rewards > 0 && !isJoint() && !level.equals(UNDISCLOSED);
  }
}
