package io.equipoise.join.disclosure;

import io.equipoise.event.GroupMean;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.SegmentMetrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Leaves groups out of metrics that have fewer rewards than a minimum, and so many of the next
 * smaller of the same attribute that those left out are two at least and have the minimum together:
 * else one could be worked out from the total. A group without a reward hides nobody and stays.
 */
final class SmallGroups {
  private static final long SUPPRESSED = -1;

  private final int minimum;

  /**
   * Prepares a rule.
   *
   * @param minimum rewards that a group must have to be told; 1 tells all
   */
  SmallGroups(int minimum) {
    this.minimum = minimum;
  }

  SegmentMetrics suppress(SegmentMetrics plain) {
    List<GroupMean> out = new ArrayList<>();
    for (String attribute : plain.groups().stream().map(GroupMean::attribute).distinct().toList()) {
      out.addAll(leftOut(plain.groups().stream().filter(it -> it.attribute().equals(attribute))));
    }
    if (out.isEmpty()) {
      return plain;
    }
    List<GroupMean> told = plain.groups().stream().filter(it -> !out.contains(it)).toList();
    return plain.with(told, difference(told), out.size());
  }

  /** Returns which groups of one attribute are left out. */
  private List<GroupMean> leftOut(Stream<GroupMean> ofAttribute) {
    List<GroupMean> bySize =
        ofAttribute
            .filter(group -> group.rewards() > 0)
            .sorted(Comparator.comparingLong(GroupMean::rewards).thenComparing(GroupMean::level))
            .toList();
    int out = 0;
    long rewards = 0;
    while (out < bySize.size()
        && (bySize.get(out).rewards() < minimum || (out > 0 && (out < 2 || rewards < minimum)))) {
      rewards += bySize.get(out++).rewards();
    }
    return bySize.subList(0, out);
  }

  /** Returns the widest gap between two groups of one attribute, null before two have rewards. */
  private static @Nullable Double difference(List<GroupMean> groups) {
    Double widest = null;
    for (GroupMean one : groups) {
      for (GroupMean other : groups) {
        if (one.attribute().equals(other.attribute())
            && one.rewards() > 0
            && other.rewards() > 0
            && !one.level().equals(other.level())) {
          double gap = Math.abs(one.mean() - other.mean());
          widest = widest == null ? gap : Math.max(widest, gap);
        }
      }
    }
    return widest;
  }

  /** Returns a phase that tells no counts of samples by group if one of them is too small. */
  PhaseAudit suppress(PhaseAudit plain) {
    boolean isSmall = plain.arrived().stream().anyMatch(count -> count > 0 && count < minimum);
    return isSmall
        ? plain.with(
            plain.groups(),
            plain.arrived().stream().map(any -> SUPPRESSED).toList(),
            plain.statsHash())
        : plain;
  }
}
