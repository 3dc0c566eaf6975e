package io.equipoise.watch;

import io.equipoise.event.GroupMean;
import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.WatchedQuantity;
import io.equipoise.evidence.Ends;
import io.equipoise.evidence.GroupCounts;
import io.equipoise.evidence.GroupMonitor;
import io.equipoise.privacy.SmallCellSuppression;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.RewardRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the rows of a group monitor and writes its evidence, without small groups. */
final class GroupWatch extends Watch {
  private final GroupsRegistration registration;
  private final boolean isOfReward;
  private final long minimum;
  private @Nullable Begun begun;

  /** Carries what follows from the spec of the first row. */
  private record Begun(PeopleGroups groups, GroupMonitor monitor, NumberRange range) {}

  /**
   * Begins without a row.
   *
   * @param minimum known values of a published group
   */
  GroupWatch(WatchRecord registered, GroupsRegistration registration, long minimum) {
    super(registered, registration.startOffset());
    this.registration = registration;
    isOfReward = registration.quantity() == WatchedQuantity.REWARD;
    this.minimum = minimum;
  }

  private Begun begin(CompiledSpec spec) {
    PeopleGroups groups = new PeopleGroups(registration.attributes(), spec);
    NumberRange range = spec.spec().reward().range();
    GroupMonitor monitor =
        new GroupMonitor(
            groups.names().size(),
            registration.tolerance() / (isOfReward ? range.width() : 1),
            registration.alpha(),
            registration.rowsBetweenFalseAlarms());
    return new Begun(groups, monitor, range);
  }

  @Override
  @Nullable WatchRecord count(WatchedRow row, double reward, double[] q, int pending) {
    if (!counts(row.offset())) {
      return null;
    }
    Begun known = begun == null ? begin(row.spec()) : begun;
    begun = known;
    RewardRule rule = row.spec().spec().reward();
    if (isOfReward && !(rule.bounded() && rule.range().equals(known.range()))) {
      String why = "reward.range or reward.bounded changed; register the monitor again";
      return registered().with(new WatchEnded(WatchEnd.CHAMPION_CHANGED, why));
    }
    int group = known.groups().of(row);
    if (group == PeopleGroups.NONE) {
      leaveOut();
      return null;
    }
    GroupMonitor monitor = known.monitor();
    double ofArm = registration.arms().contains(row.spec().armIds().get(row.arm())) ? 1 : 0;
    monitor.add(group, isOfReward ? reward : ofArm, row.seq());
    GroupCounts total = monitor.total();
    boolean isTurned = isLook(total.rows()) && monitor.look();
    return isTurned || isReport(total.rows())
        ? registered()
            .with(
                new WatchEvidence(
                    total.rows(),
                    row.seq(),
                    pending,
                    total.missing(),
                    leftOut(),
                    null,
                    evidence(known)))
        : null;
  }

  private GroupsEvidence evidence(Begun known) {
    GroupMonitor monitor = known.monitor();
    boolean[] flagged = monitor.flagged();
    double unit = isOfReward ? known.range().width() : 1;
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
              gap.low() * unit,
              gap.high() * unit,
              monitor.logEvalue(test),
              monitor.isAlarmed(test),
              flagged[test]));
    }
    return new GroupsEvidence(
        published(tests, registration.attributes(), minimum),
        monitor.logChange(),
        monitor.changeAlarms(),
        monitor.changeSince());
  }

  /**
   * Leaves small groups out, by the rule of the groups in {@code metrics}. The only test of an
   * attribute of two levels shows both, so it is left out if one of them is small.
   */
  static List<GroupTest> published(List<GroupTest> tests, List<String> attributes, long minimum) {
    String attribute = String.join("*", attributes);
    List<GroupMean> sizes = new ArrayList<>();
    for (GroupTest test : tests) {
      sizes.add(new GroupMean(attribute, test.level(), test.rows() - test.missing(), 0));
    }
    boolean isPair = tests.size() == 1;
    if (isPair) {
      long others = tests.get(0).otherRows() - tests.get(0).otherMissing();
      sizes.add(new GroupMean(attribute, "not " + tests.get(0).level(), others, 0));
    }
    List<String> small =
        new SmallCellSuppression(minimum).tooSmall(sizes).stream().map(GroupMean::level).toList();
    return isPair && !small.isEmpty()
        ? List.of()
        : tests.stream().filter(it -> !small.contains(it.level())).toList();
  }
}
