package io.equipoise.privacy;

import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.GroupMean;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.PhaseCounts;
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
 *
 * <p>Joint groups, of people who are equal in several attributes, go all or none: they stand in a
 * table whose margins are told, and from two cells of a row one comes to the others by the columns.
 * Whoever is of a small group is of a small joint group too, so joint groups tell no margin that is
 * left out.
 */
final class SmallCellSuppression {
  private static final long SUPPRESSED = -1;

  private final long minimum;

  /**
   * Prepares a rule.
   *
   * @param minimum rewards that a group must have to be told; 1 tells all
   */
  SmallCellSuppression(long minimum) {
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
    return plain.with(told, difference(plain, told, out), out.size());
  }

  /** Returns a snapshot that leaves out as many groups as another one, by the least minimum. */
  static SegmentMetrics like(SegmentMetrics told, SegmentMetrics plain) {
    if (told.suppressedGroups() <= 0) {
      return plain;
    }
    long least = 1;
    long most = 1 + plain.groups().stream().mapToLong(GroupMean::rewards).sum();
    while (least < most) { // a greater minimum leaves out what a smaller one does, or more
      long middle = (least + most) >>> 1;
      int out = new SmallCellSuppression(middle).suppress(plain).suppressedGroups();
      least = out < told.suppressedGroups() ? middle + 1 : least;
      most = out < told.suppressedGroups() ? most : middle;
    }
    return new SmallCellSuppression(least).suppress(plain);
  }

  /** Returns which groups of one attribute are left out. */
  private List<GroupMean> leftOut(Stream<GroupMean> ofAttribute) {
    List<GroupMean> bySize =
        ofAttribute
            .filter(group -> group.rewards() > 0)
            .sorted(Comparator.comparingLong(GroupMean::rewards).thenComparing(GroupMean::level))
            .toList();
    boolean isJoint = !bySize.isEmpty() && bySize.get(0).isJoint();
    if (isJoint) {
      return bySize.get(0).rewards() < minimum ? bySize : List.of();
    }
    int out = 0;
    long rewards = 0;
    while (out < bySize.size()
        && (bySize.get(out).rewards() < minimum || (out > 0 && (out < 2 || rewards < minimum)))) {
      rewards += bySize.get(out++).rewards();
    }
    return bySize.subList(0, out);
  }

  /**
   * Returns the difference as far as the groups told tell it: that of two sides would give away a
   * level that is left out of one of them.
   */
  private static @Nullable Double difference(
      SegmentMetrics plain, List<GroupMean> told, List<GroupMean> out) {
    String of = plain.groupDifferenceOf();
    if (of == null) {
      return GroupMean.widestGap(told);
    }
    boolean isTold = out.stream().noneMatch(group -> group.attribute().equals(of));
    return isTold ? plain.groupDifference() : null;
  }

  /**
   * Returns a record without counts of samples by group if one of them is too small: neither what
   * came nor, as most of it comes, what was planned and what is missing from that.
   */
  ExperimentRecord suppress(ExperimentRecord plain) {
    PhaseAudit phase = plain.phase();
    return phase != null
            && phase.counts().arrived().stream().anyMatch(count -> count > 0 && count < minimum)
        ? suppressed(plain, phase)
        : plain;
  }

  /** Returns a record with as few counts as another one has. */
  static ExperimentRecord like(ExperimentRecord told, ExperimentRecord plain) {
    PhaseAudit toldPhase = told.phase();
    PhaseAudit phase = plain.phase();
    return phase != null && toldPhase != null && toldPhase.counts().missing() == SUPPRESSED
        ? suppressed(plain, phase)
        : plain;
  }

  private static ExperimentRecord suppressed(ExperimentRecord plain, PhaseAudit phase) {
    PhaseCounts counts = phase.counts();
    List<Long> arrived = counts.arrived().stream().map(any -> SUPPRESSED).toList();
    return plain.with(
        plain.design(), phase.with(List.of(), counts.with(arrived, SUPPRESSED)), plain.redaction());
  }
}
