package io.equipoise.policy.tabular;

import io.equipoise.policy.constraint.Constraint;
import io.equipoise.segmentspec.ArmReader;
import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.ExploreReader;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.Ties;
import io.equipoise.segmentspec.VariableRole;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what {@code policy} says of a policy over cells. */
final class TabularReader {
  private static final List<String> KEYS =
      List.of(
          "name",
          "index-scale",
          "separating-set",
          "safe",
          "ties",
          "causal-bounds",
          "constraint",
          "explore");

  private final PolicySection section;

  private TabularReader(PolicySection section) {
    this.section = section;
  }

  /**
   * Returns null after a fault, also if the reward's scale is needed and has one.
   *
   * @param name null after a fault in it
   */
  static @Nullable PolicySpec read(@Nullable TabularPolicyName name, PolicySection section) {
    return new TabularReader(section).policy(name);
  }

  private @Nullable PolicySpec policy(@Nullable TabularPolicyName name) {
    CausalBoundsSpec causalBounds = section.causalBounds(name == TabularPolicyName.UCB_PCB);
    Ties ties = section.ties();
    section.fields().refuseOthers(KEYS);
    Double scale = section.scaleOr(section.get("index-scale"));
    Field set = section.get("separating-set");
    List<String> declared = set != null && set.isList() ? declaredSet(set) : List.of();
    SeparatingRule rule = name == null ? null : rule(name, set);
    Field safeField = section.get("safe");
    List<Map<String, List<String>>> safe = safeField == null ? List.of() : safe(safeField);
    Constraint constraint = constraint(name, section.get("constraint"));
    ExploreSpec explore = ExploreReader.read(section.get("explore"), null);
    if (name == null
        || scale == null
        || rule == null
        || ties == null
        || constraint == null
        || explore == null) {
      return null;
    }
    TabularSpec family = new TabularSpec(scale, rule, declared, safe, constraint, explore);
    return new PolicySpec(name, ties, causalBounds, family);
  }

  private static @Nullable Constraint constraint(
      @Nullable TabularPolicyName name, @Nullable Field field) {
    if (field == null) {
      return name == TabularPolicyName.F_UCB ? Constraint.HARD : Constraint.NONE;
    }
    Constraint constraint = field.oneOf(Constraint.values(), Constraint::wire);
    boolean isHard = constraint == Constraint.HARD;
    if (name == TabularPolicyName.F_UCB && constraint != null && !isHard) {
      field.fault("hard, which f-ucb is; ucb, c-ucb and d-ucb take none, dual, dual-upper, screen");
      return null;
    }
    if (name != TabularPolicyName.F_UCB && isHard) {
      field.fault("none, dual, dual-upper or screen: the hard constraint over cells is f-ucb");
      return null;
    }
    return constraint;
  }

  private static @Nullable SeparatingRule rule(TabularPolicyName name, @Nullable Field field) {
    SeparatingRule byDefault =
        switch (name) {
          case UCB, UCB_PCB -> SeparatingRule.ALL;
          case C_UCB -> SeparatingRule.PARENTS;
          case D_UCB, F_UCB -> SeparatingRule.CHEAPEST;
        };
    if (field == null) {
      return byDefault;
    }
    SeparatingRule rule = SeparatingRule.DECLARED;
    if (!field.isList()) {
      SeparatingRule[] words = {
        SeparatingRule.ALL, SeparatingRule.PARENTS, SeparatingRule.CHEAPEST
      };
      rule = field.oneOf(words, SeparatingRule::wire);
    }
    boolean fixed = byDefault != SeparatingRule.CHEAPEST;
    if (fixed && rule != null && rule != byDefault) {
      field.fault("with " + name.wire() + " it is " + byDefault.wire() + ", or left out");
    }
    return rule;
  }

  private List<String> declaredSet(Field field) {
    List<String> allowed = new ArrayList<>(section.variables().names());
    allowed.removeAll(section.variables().names(VariableRole.REWARD));
    List<String> declared = new ArrayList<>();
    for (Field item : field.items()) {
      String name = item.text();
      if (name == null) {
        continue;
      }
      if (!allowed.contains(name)) {
        item.fault(Nearest.oneOf(name, allowed));
      } else if (declared.contains(name)) {
        item.fault("every variable once");
      }
      declared.add(name);
    }
    if (declared.isEmpty()) {
      field.fault("an empty list", "the variables of the set, at least one");
    }
    return declared;
  }

  private List<Map<String, List<String>>> safe(Field field) {
    List<Map<String, List<String>>> safe = new ArrayList<>();
    for (Field item : field.items()) {
      Map<String, List<String>> rule = new LinkedHashMap<>();
      Section given = Section.ofNames(item);
      given.refuseOthers(this.section.variables().names(VariableRole.ACTION));
      given.fields().forEach((action, levels) -> rule.put(action, allowedLevels(action, levels)));
      if (given.isMapping() && rule.isEmpty()) {
        item.fault("an empty mapping", "actions and their levels; an empty one would hold for all");
      }
      safe.add(rule);
    }
    return safe;
  }

  private List<String> allowedLevels(String action, Field field) {
    SpecVariable variable = section.variables().sound(action);
    List<Field> items = field.isList() ? field.items() : List.of(field);
    List<String> levels = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (Field item : items) {
      int level = variable == null ? -1 : ArmReader.levelOf(variable, item);
      if (variable != null && level >= 0) {
        if (!seen.add(level)) {
          item.fault("every level once");
        }
        levels.add(variable.levels().get(level));
      }
    }
    if (items.isEmpty()) {
      field.fault("an empty list", "at least one level");
    }
    return levels;
  }
}
