package io.equipoise.privacy;

import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.GapSplit;
import io.equipoise.event.GroupMean;
import io.equipoise.event.GroupSummary;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.PhaseCounts;
import io.equipoise.event.SegmentMetrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Removes groups with fewer rewards than a minimum from metrics, and as many of the next smaller
 * groups of the same attribute as needed: at least two are removed, and together they reach the
 * minimum. Otherwise one could be computed from the total. Groups without rewards stay.
 *
 * <p>Removes splits of gaps with a group below the minimum, and all of an attribute that has a
 * removed group.
 *
 * <p>Joint groups, of people with equal levels of several attributes, are removed all together or
 * not at all. They form a table with published margins, and the remaining cells of a row would
 * follow from two of them and the columns. A small group implies a small joint group, so joint
 * groups never reveal a removed margin.
 */
public final class SmallCellSuppression {
  private static final long SUPPRESSED = -1;

  private final long minimum;

  /**
   * Prepares the rule.
   *
   * @param minimum minimum rewards of a published group; 1 publishes all groups
   */
  public SmallCellSuppression(long minimum) {
    this.minimum = minimum;
  }

  /** Returns a snapshot without small groups. It may already lack some. */
  public SegmentMetrics suppress(SegmentMetrics plain) {
    GroupSummary groups = plain.groups();
    List<GroupMean> out = tooSmall(groups.means());
    Set<String> small = out.stream().map(GroupMean::attribute).collect(Collectors.toSet());
    List<GapSplit> splits =
        plain.splits().stream()
            .filter(it -> Math.min(it.referenceRewards(), it.otherRewards()) >= minimum)
            .filter(it -> !small.contains(it.attribute()))
            .toList();
    SegmentMetrics split = plain.withSplits(splits);
    if (out.isEmpty()) {
      return split.equals(plain) ? plain : split;
    }
    List<GroupMean> kept = groups.means().stream().filter(it -> !out.contains(it)).toList();
    return split.with(
        groups.with(kept, difference(groups, kept, out), groups.suppressed() + out.size()));
  }

  /**
   * As {@link #suppress}, but without any group if fewer records than the minimum are between this
   * snapshot and the one before: their difference would be of few people.
   */
  SegmentMetrics suppressNear(SegmentMetrics plain) {
    boolean isNear = plain.seq() - plain.previousSeq() < minimum;
    return (isNear ? new SmallCellSuppression(Long.MAX_VALUE) : this).suppress(plain);
  }

  /** Returns the groups that must not be published. */
  public List<GroupMean> tooSmall(List<GroupMean> groups) {
    List<GroupMean> out = new ArrayList<>();
    for (String attribute : groups.stream().map(GroupMean::attribute).distinct().toList()) {
      out.addAll(leftOut(groups.stream().filter(it -> it.attribute().equals(attribute))));
    }
    return out;
  }

  /**
   * Returns a snapshot that suppresses as many groups as another one, with the least minimum, and
   * the splits that the other one lacks.
   */
  static SegmentMetrics like(SegmentMetrics logged, SegmentMetrics plain) {
    SegmentMetrics like = likeGroups(logged, plain);
    return like.withSplits(
        plain.splits().stream()
            .filter(it -> logged.splits().stream().anyMatch(it::isOfSamePair))
            .toList());
  }

  private static SegmentMetrics likeGroups(SegmentMetrics logged, SegmentMetrics plain) {
    if (logged.groups().suppressed() <= 0) {
      return plain;
    }
    long least = 1;
    long most = 1 + plain.groups().means().stream().mapToLong(GroupMean::rewards).sum();
    while (least < most) { // the number of suppressed groups grows with the minimum
      long middle = (least + most) >>> 1;
      int out = new SmallCellSuppression(middle).suppress(plain).groups().suppressed();
      least = out < logged.groups().suppressed() ? middle + 1 : least;
      most = out < logged.groups().suppressed() ? most : middle;
    }
    return new SmallCellSuppression(least).suppress(plain);
  }

  /** Returns the suppressed groups of one attribute. */
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
   * Returns the difference if all its groups are published; otherwise it would reveal a suppressed
   * group.
   */
  private static @Nullable Double difference(
      GroupSummary plain, List<GroupMean> kept, List<GroupMean> out) {
    String of = plain.differenceOf();
    if (of == null) {
      return GroupMean.widestGap(kept);
    }
    boolean isPublished = out.stream().noneMatch(group -> group.attribute().equals(of));
    return isPublished ? plain.difference() : null;
  }

  /**
   * Returns a record without sample counts by group if one of them is too small. Removes the
   * arrived, planned and missing counts, because each almost determines the others.
   */
  ExperimentRecord suppress(ExperimentRecord plain) {
    PhaseAudit phase = plain.phase();
    return phase != null
            && phase.counts().arrived().stream().anyMatch(count -> count > 0 && count < minimum)
        ? suppressed(plain, phase)
        : plain;
  }

  /** Returns a record that suppresses its counts if another one does. */
  static ExperimentRecord like(ExperimentRecord logged, ExperimentRecord plain) {
    PhaseAudit loggedPhase = logged.phase();
    PhaseAudit phase = plain.phase();
    return phase != null && loggedPhase != null && loggedPhase.counts().missing() == SUPPRESSED
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
