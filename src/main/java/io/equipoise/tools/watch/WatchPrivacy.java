package io.equipoise.tools.watch;

import io.equipoise.event.GroupMean;
import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.privacy.SmallCellSuppression;
import java.util.ArrayList;
import java.util.List;

/**
 * Leaves small groups out of evidence, by the rule of the groups in {@code metrics}. The only test
 * of an attribute of two levels shows both, so it is left out if one of them is small.
 */
final class WatchPrivacy {
  private WatchPrivacy() {}

  /**
   * Returns evidence without small groups.
   *
   * @param minimum known values of a published group
   */
  static WatchEvidence suppressed(WatchEvidence plain, WatchRecord registration, long minimum) {
    GroupsEvidence groups = plain.ofGroups();
    GroupsRegistration registered = registration.groups();
    if (groups == null || registered == null) {
      return plain;
    }
    String attribute = String.join("*", registered.attributes());
    List<GroupMean> sizes = new ArrayList<>();
    for (GroupTest test : groups.tests()) {
      sizes.add(new GroupMean(attribute, test.level(), test.rows() - test.missing(), 0));
    }
    boolean isPair = groups.tests().size() == 1;
    if (isPair) {
      GroupTest test = groups.tests().get(0);
      long others = test.otherRows() - test.otherMissing();
      sizes.add(new GroupMean(attribute, "not " + test.level(), others, 0));
    }
    List<String> small =
        new SmallCellSuppression(minimum).tooSmall(sizes).stream().map(GroupMean::level).toList();
    if (small.isEmpty()) {
      return plain;
    }
    List<GroupTest> kept =
        isPair
            ? List.of()
            : groups.tests().stream().filter(it -> !small.contains(it.level())).toList();
    return new WatchEvidence(
        plain.rows(),
        plain.seq(),
        plain.pending(),
        plain.missing(),
        plain.leftOut(),
        null,
        new GroupsEvidence(kept, groups.logChange(), groups.changeAlarms(), groups.changeSince()));
  }
}
