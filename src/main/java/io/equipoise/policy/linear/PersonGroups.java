package io.equipoise.policy.linear;

import io.equipoise.event.GroupMean;
import io.equipoise.policy.JointGroup;
import io.equipoise.segmentspec.GroupSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Determines which group of a spec a person is in: the joint level of the balanced attributes, as
 * the cross product of {@link SensitiveGroups} numbers it. An undisclosed level is one of its own,
 * on neither side. Immutable.
 *
 * @param places of the attributes among the features of people; none where nobody is balanced
 * @param sizes levels of each, with the undisclosed one if it has one
 */
record PersonGroups(List<Integer> places, List<Integer> sizes) {
  private static final String SEPARATOR = "*";

  static PersonGroups of(@Nullable GroupSpec groups, Variables variables) {
    List<SpecVariable> attributes =
        groups == null ? List.of() : groups.attributes().stream().map(variables::named).toList();
    return new PersonGroups(
        attributes.stream().map(variables.features()::indexOf).toList(),
        attributes.stream()
            .map(one -> Math.max(one.levels().size(), one.undisclosed() + 1))
            .toList());
  }

  /** Returns the value of someone's attributes; 0 where there are none. */
  int of(int[] person) {
    int[] levels = new int[places.size()];
    for (int i = 0; i < levels.length; i++) {
      levels[i] = person[places.get(i)];
    }
    return SensitiveGroups.crossProduct(sizes, levels);
  }

  /** Returns the sides of all values. */
  SensitiveGroups sides(GroupSpec groups, Variables variables) {
    int[] side = new int[sizes.stream().reduce(1, Math::multiplyExact)];
    groups.privileged().forEach(group -> side[value(group, groups, variables)] = 1);
    groups.protectedLevels().forEach(group -> side[value(group, groups, variables)] = -1);
    return SensitiveGroups.of(side);
  }

  /** Returns what was learned of each value, by name. */
  List<JointGroup> named(GroupMeans totals, List<SpecVariable> features) {
    List<SpecVariable> attributes = places.stream().map(features::get).toList();
    String names =
        attributes.stream().map(SpecVariable::name).collect(Collectors.joining(SEPARATOR));
    List<JointGroup> groups = new ArrayList<>();
    for (int value = 0; value < totals.values(); value++) {
      String levels = "";
      int rest = value;
      for (int i = sizes.size() - 1; i >= 0; i--) {
        String level = label(attributes.get(i), rest % sizes.get(i));
        levels = levels.isEmpty() ? level : level + SEPARATOR + levels;
        rest /= sizes.get(i);
      }
      double weight = totals.weight(value);
      double mean = weight > 0 ? totals.mean(value) : 0;
      long rewards = (long) Math.ceil(weight); // so many people at least: none hide
      groups.add(new JointGroup(names, levels, rewards, weight, mean));
    }
    return groups;
  }

  /** A marginalized attribute has no level for those who did not disclose, but a group it has. */
  private static String label(SpecVariable attribute, int level) {
    return level < attribute.levels().size()
        ? attribute.levels().get(level)
        : GroupMean.UNDISCLOSED;
  }

  private int value(List<String> group, GroupSpec groups, Variables variables) {
    int[] levels = new int[group.size()];
    for (int i = 0; i < levels.length; i++) {
      levels[i] = variables.named(groups.attributes().get(i)).levels().indexOf(group.get(i));
    }
    return SensitiveGroups.crossProduct(sizes, levels);
  }
}
