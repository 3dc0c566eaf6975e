package io.equipoise.watch;

import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.WatchedQuantity;
import io.equipoise.evidence.Ends;
import io.equipoise.evidence.GroupCounts;
import io.equipoise.evidence.GroupMonitor;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.RewardRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the rows of a group monitor and writes its evidence. */
final class GroupWatch extends Watch {
  private final GroupsRegistration registration;
  private @Nullable Begun begun;

  /** Carries what follows from the spec of the first row. */
  private record Begun(PeopleGroups groups, GroupMonitor monitor, double unit, RewardRule reward) {}

  GroupWatch(WatchRecord registered, GroupsRegistration registration) {
    super(registered, registration.startOffset());
    this.registration = registration;
  }

  private Begun begin(CompiledSpec spec) {
    PeopleGroups groups = new PeopleGroups(registration.attributes(), spec);
    boolean isReward = registration.quantity() == WatchedQuantity.REWARD;
    double unit = isReward ? spec.spec().reward().range().width() : 1;
    return new Begun(
        groups,
        new GroupMonitor(
            groups.names().size(),
            registration.tolerance() / unit,
            registration.alpha(),
            registration.rowsBetweenFalseAlarms()),
        unit,
        spec.spec().reward());
  }

  /** Returns why a row's reward is on another scale than those before, or null. */
  @Nullable String otherScale(WatchedRow row) {
    RewardRule now = row.spec().spec().reward();
    RewardRule first = begun == null ? now : begun.reward();
    boolean isSame = now.bounded() && now.range().equals(first.range());
    return isSame || registration.quantity() == WatchedQuantity.ARM || !counts(row.offset())
        ? null
        : "reward.range or reward.bounded changed from %s, %s to %s, %s; register the monitor again"
            .formatted(first.range(), first.bounded(), now.range(), now.bounded());
  }

  @Override
  @Nullable WatchEvidence count(WatchedRow row, double[] q, Counted counted) {
    if (!counts(row.offset())) {
      return null;
    }
    Begun known = begun == null ? begin(row.spec()) : begun;
    begun = known;
    int group = known.groups().of(row);
    if (group == PeopleGroups.NONE) {
      leaveOut();
      return null;
    }
    GroupMonitor monitor = known.monitor();
    boolean isReward = registration.quantity() == WatchedQuantity.REWARD;
    double ofArm = registration.arms().contains(row.armId()) ? 1 : 0;
    monitor.add(group, isReward ? counted.reward() : ofArm, counted.seq());
    boolean isTurned = isLook(monitor.total().rows()) && monitor.look();
    return isTurned || isReport(monitor.total().rows())
        ? new WatchEvidence(
            monitor.total().rows(),
            counted.seq(),
            counted.pending(),
            monitor.total().missing(),
            leftOut(),
            null,
            evidence(known))
        : null;
  }

  private static GroupsEvidence evidence(Begun known) {
    GroupMonitor monitor = known.monitor();
    boolean[] flagged = monitor.flagged();
    List<GroupTest> tests = new ArrayList<>();
    for (int test = 0; test < monitor.tests(); test++) {
      GroupCounts of = monitor.of(test);
      GroupCounts others = monitor.others(test);
      Ends gap = monitor.gap(test);
      tests.add(
          new GroupTest(
              known.groups().names().get(test),
              of.rows(),
              of.sum(),
              of.missing(),
              others.rows(),
              others.sum(),
              others.missing(),
              gap.low() * known.unit(),
              gap.high() * known.unit(),
              monitor.logEvalue(test),
              monitor.isAlarmed(test),
              flagged[test]));
    }
    return new GroupsEvidence(
        tests, monitor.logChange(), monitor.changeAlarms(), monitor.changeSince());
  }
}
