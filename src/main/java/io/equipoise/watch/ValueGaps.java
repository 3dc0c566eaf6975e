package io.equipoise.watch;

import io.equipoise.event.GapInterval;
import io.equipoise.evidence.GapEvidence;
import io.equipoise.evidence.GroupMonitor;
import io.equipoise.evidence.OffPolicySums.PolicyValue;
import io.equipoise.evidence.RowScores;
import java.util.ArrayList;
import java.util.List;

/**
 * Bounds the gap between what a challenger earns in each group of an attribute and in all others
 * (docs/math/watch.md#gate). Two groups are one comparison. Mutable.
 */
final class ValueGaps {
  private final String attribute;
  private final PeopleGroups groups;
  private final double limit;
  private final double level;
  private final int comparisons;

  private final List<PolicyValue> of = new ArrayList<>();
  private final List<PolicyValue> others = new ArrayList<>();

  /**
   * Begins without a row.
   *
   * @param limit of the gap, scaled
   * @param level probability that any end errs, which all ends share
   */
  ValueGaps(String attribute, PeopleGroups groups, double limit, double level) {
    this.attribute = attribute;
    this.groups = groups;
    this.limit = limit;
    this.comparisons = GroupMonitor.tests(groups.names().size());
    this.level = level / (2.0 * comparisons);
    for (int group = 0; group < comparisons; group++) {
      of.add(new PolicyValue());
      others.add(new PolicyValue());
    }
  }

  String attribute() {
    return attribute;
  }

  /** Adds a row; leaves out people who do not disclose the attribute. */
  void add(WatchedRow row, RowScores scores) {
    int group = groups.of(row);
    if (group == PeopleGroups.NONE) {
      return;
    }
    for (int any = 0; any < comparisons; any++) {
      (any == group ? of : others).get(any).add(scores);
    }
  }

  boolean isWithinLimit() {
    double needed = StrictMath.log(1 / level);
    for (int group = 0; group < comparisons; group++) {
      if (GapEvidence.of(of.get(group), others.get(group), -limit) < needed
          || GapEvidence.of(others.get(group), of.get(group), -limit) < needed) {
        return false;
      }
    }
    return true;
  }

  /** Returns the gaps in units of the reward. */
  List<GapInterval> intervals(double unit) {
    List<GapInterval> intervals = new ArrayList<>();
    for (int group = 0; group < comparisons; group++) {
      double low = GapEvidence.lower(of.get(group), others.get(group), level);
      double high = -GapEvidence.lower(others.get(group), of.get(group), level);
      intervals.add(new GapInterval(attribute, groups.names().get(group), unit * low, unit * high));
    }
    return intervals;
  }
}
