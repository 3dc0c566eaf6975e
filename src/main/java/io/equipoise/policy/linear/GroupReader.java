package io.equipoise.policy.linear;

import io.equipoise.segmentspec.ArmReader;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.Forget;
import io.equipoise.segmentspec.GroupSpec;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.VariableTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code policy.groups}: the levels of one sensitive attribute, or the joint levels of
 * several, that are privileged and protected (Fair-LinUCB, sections 4.3 and 4.4).
 */
final class GroupReader {
  private static final String ANY = "*";

  /** A mean is kept for every joint level and arm. */
  private static final int MOST_GROUPS = 1024;

  private final Section section;
  private final Field field;
  private final VariableTable variables;

  private GroupReader(Section section, VariableTable variables) {
    this.section = section;
    this.field = section.field();
    this.variables = variables;
  }

  /** Returns null after a fault. */
  static @Nullable GroupSpec read(
      Section section, VariableTable variables, @Nullable RewardRule reward) {
    return new GroupReader(section, variables).groups(reward);
  }

  private @Nullable GroupSpec groups(@Nullable RewardRule reward) {
    List<SpecVariable> attributes = attributes();
    List<List<String>> privileged = sides("privileged", attributes);
    List<List<String>> shielded = sides("protected", attributes);
    double gamma = gamma();
    if (section.isSound()
        && Double.isNaN(gamma)
        && reward != null
        && !isWithinOne(reward.range())) {
      field.fault(
          "an adaptive gamma", "a number, or reward.range within [0, 1], which it counts in");
    }
    Forget forget = LinearReader.forget(section);
    if (privileged.stream().anyMatch(new HashSet<>(shielded)::contains)) {
      field.fault("a level in both groups", "privileged and protected levels, none of them twice");
    }
    if (attributes == null || forget == null || !section.isSound()) {
      return null;
    }
    List<String> names = attributes.stream().map(SpecVariable::name).toList();
    return new GroupSpec(names, privileged, shielded, gamma, forget);
  }

  /** Returns null after a fault. */
  private @Nullable List<SpecVariable> attributes() {
    Field several = section.get("attributes");
    if (several == null) {
      section.require("attribute", "a variable with the role sensitive");
      Field one = section.get("attribute");
      SpecVariable attribute = one == null ? null : sensitive(one);
      return attribute == null ? null : List.of(attribute);
    }
    if (section.get("attribute") != null) {
      several.fault("attribute too", "one of them");
      return null;
    }
    List<Field> items = section.items("attributes");
    List<SpecVariable> attributes = new ArrayList<>();
    double groups = 1;
    for (Field item : items) {
      SpecVariable attribute = sensitive(item);
      if (attribute != null && attributes.contains(attribute)) {
        item.fault("each attribute once");
      } else if (attribute != null) {
        attributes.add(attribute);
        groups *= attribute.levels().size();
      }
    }
    if (groups > MOST_GROUPS) {
      several.fault(
          Field.shown(groups) + " joint levels", "at most " + MOST_GROUPS + ": each has its mean");
      return null;
    }
    return attributes.isEmpty() || attributes.size() < items.size() ? null : attributes;
  }

  private @Nullable SpecVariable sensitive(Field field) {
    String given = field.text();
    List<String> allowed = variables.names(VariableRole.SENSITIVE);
    if (given != null && !allowed.contains(given)) {
      field.fault(Nearest.oneOf(given, allowed));
      return null;
    }
    return given == null ? null : variables.sound(given);
  }

  /** Returns joint levels, a level of each attribute; none after a fault. */
  private List<List<String>> sides(String key, @Nullable List<SpecVariable> attributes) {
    Field side = section.get(key);
    List<List<String>> groups = new ArrayList<>();
    if (side == null || attributes == null) {
      return groups;
    }
    if (side.isList() && side.items().isEmpty()) {
      side.fault("an empty list", "at least one");
    }
    boolean isSound = true;
    for (Field item : side.isList() ? side.items() : List.of(side)) {
      List<List<String>> read =
          attributes.size() == 1 ? single(item, attributes.get(0)) : joint(item, attributes);
      isSound &= !read.isEmpty();
      read.stream().filter(group -> !groups.contains(group)).forEach(groups::add);
    }
    return isSound ? groups : List.of();
  }

  private static List<List<String>> single(Field item, SpecVariable attribute) {
    int level = ArmReader.levelOf(attribute, item);
    return level < 0 ? List.of() : List.of(List.of(attribute.levels().get(level)));
  }

  private static List<List<String>> joint(Field item, List<SpecVariable> attributes) {
    List<String> names = attributes.stream().map(SpecVariable::name).toList();
    if (!item.isList() || item.items().size() != attributes.size()) {
      item.fault("a list of a level, or \"*\" for every level, of each of " + names);
      return List.of();
    }
    List<List<String>> groups = List.of(List.of());
    for (int place = 0; place < attributes.size(); place++) {
      List<List<String>> longer = new ArrayList<>();
      for (String level : levels(item.items().get(place), attributes.get(place))) {
        for (List<String> group : groups) {
          List<String> more = new ArrayList<>(group);
          more.add(level);
          longer.add(more);
        }
      }
      groups = longer;
    }
    return groups;
  }

  /** Nobody who does not tell belongs to a group by a star. */
  private static List<String> levels(Field field, SpecVariable attribute) {
    if (field.isScalar() && ANY.equals(field.text()) && !attribute.levels().contains(ANY)) {
      return attribute.levels().subList(0, attribute.disclosedLevels());
    }
    int level = ArmReader.levelOf(attribute, field);
    return level < 0 ? List.of() : List.of(attribute.levels().get(level));
  }

  private static boolean isWithinOne(NumberRange numberRange) {
    return numberRange.low() >= 0 && numberRange.high() <= 1;
  }

  /** Returns NaN for {@code adaptive}, and after a fault. */
  private double gamma() {
    Field given = section.get("gamma");
    return given == null || (given.isScalar() && "adaptive".equals(given.text()))
        ? Double.NaN
        : section.number("gamma");
  }
}
