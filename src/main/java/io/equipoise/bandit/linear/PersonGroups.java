package io.equipoise.bandit.linear;

import io.equipoise.spec.GroupSpec;
import io.equipoise.spec.SpecVariable;
import io.equipoise.spec.Variables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says which group of a spec a person is in: the joint level of the balanced attributes, as the
 * cross product of {@link SensitiveGroups} numbers it. An undisclosed level is one of its own, on
 * neither side. Immutable.
 *
 * @param places of the attributes among the features of people; none where nobody is balanced
 * @param sizes levels of each, with the undisclosed one if it has one
 */
record PersonGroups(List<Integer> places, List<Integer> sizes) {
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

  private int value(List<String> group, GroupSpec groups, Variables variables) {
    int[] levels = new int[group.size()];
    for (int i = 0; i < levels.length; i++) {
      levels[i] = variables.named(groups.attributes().get(i)).levels().indexOf(group.get(i));
    }
    return SensitiveGroups.crossProduct(sizes, levels);
  }
}
