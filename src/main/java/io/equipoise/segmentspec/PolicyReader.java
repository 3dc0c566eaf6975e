package io.equipoise.segmentspec;

import io.equipoise.segmentspec.LinearSpec.Constraint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code policy}. */
final class PolicyReader {
  private static final List<String> TABULAR_KEYS =
      List.of(
          "name",
          "index-scale",
          "separating-set",
          "safe",
          "ties",
          "causal-bounds",
          "constraint",
          "explore");

  private final VariableTable variables;

  private PolicyReader(VariableTable variables) {
    this.variables = variables;
  }

  /** Returns null after a fault, also if the reward's scale is needed and has one. */
  static @Nullable PolicySpec read(
      @Nullable Field field,
      VariableTable variables,
      @Nullable Arms arms,
      @Nullable RewardRule reward) {
    return field == null ? null : new PolicyReader(variables).policy(field, arms, reward);
  }

  private @Nullable PolicySpec policy(
      Field field, @Nullable Arms arms, @Nullable RewardRule reward) {
    Section section = Section.ofNames(field);
    Field nameField = section.require("name", Nearest.oneOf("", names()));
    PolicyName name = nameField == null ? null : name(nameField);
    if (name != null && (refusesConstraint(name, section) || refusesExplore(name, section))) {
      return null;
    }
    if (name != null && name.family() == PolicyName.Family.EXPERIMENT) {
      return experiment(name, section, arms, reward);
    }
    Field causalBoundsField =
        name != null && name.needsCausalBounds()
            ? section.require(
                "causal-bounds", "a mapping with the name: it clips into causal bounds")
            : section.get("causal-bounds");
    CausalBoundsSpec causalBounds =
        causalBoundsField == null ? null : CausalBoundsReader.read(causalBoundsField);
    if (name != null && name.hasWarmStart() && causalBoundsField != null) {
      causalBoundsField.fault(
          "no causal-bounds: what refuted them would be the evidence; linucb-pcb takes them");
      return null;
    }
    Field tiesField = section.get("ties");
    Ties ties = tiesField == null ? Ties.LOWEST : tiesField.oneOf(Ties.values(), Ties::wire);
    if (name != null && name.family() == PolicyName.Family.LINEAR) {
      return linear(name, section, reward, ties, causalBounds);
    }
    if (name != null && name.family() == PolicyName.Family.LOGISTIC) {
      return logistic(name, section, reward, ties);
    }
    if (name != null && name.family() == PolicyName.Family.ALLOCATION) {
      return oam(name, section, reward, ties, causalBounds);
    }
    section.refuseOthers(TABULAR_KEYS);
    Double scale = scaleOr(section.get("index-scale"), reward);
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
    TabularSpec family = new TabularSpec(constraint, explore);
    return new PolicySpec(name, scale, rule, declared, safe, ties, causalBounds, family);
  }

  private static @Nullable Constraint constraint(@Nullable PolicyName name, @Nullable Field field) {
    if (field == null) {
      return name == PolicyName.F_UCB ? Constraint.HARD : Constraint.NONE;
    }
    Constraint constraint = field.oneOf(Constraint.values(), Constraint::wire);
    boolean isHard = constraint == Constraint.HARD;
    if (name == PolicyName.F_UCB && constraint != null && !isHard) {
      field.fault("hard, which f-ucb is; ucb, c-ucb and d-ucb take none, dual, dual-upper, screen");
      return null;
    }
    if (name != PolicyName.F_UCB && isHard) {
      field.fault("none, dual, dual-upper or screen: the hard constraint over cells is f-ucb");
      return null;
    }
    return constraint;
  }

  private @Nullable PolicySpec linear(
      PolicyName name,
      Section section,
      @Nullable RewardRule reward,
      @Nullable Ties ties,
      @Nullable CausalBoundsSpec causalBounds) {
    List<String> keys = new ArrayList<>(List.of("name", "ties", "causal-bounds"));
    keys.addAll(LinearReader.KEYS);
    keys.addAll(WarmStartReader.KEYS);
    section.refuseOthers(keys);
    if (refusesSeeded(name, section, ties)) {
      return null;
    }
    LinearSpec linear = LinearReader.read(name, section, variables, reward);
    return linear == null ? null : PolicySpec.of(name, Ties.LOWEST, causalBounds, linear);
  }

  private @Nullable PolicySpec oam(
      PolicyName name,
      Section section,
      @Nullable RewardRule reward,
      @Nullable Ties ties,
      @Nullable CausalBoundsSpec causalBounds) {
    List<String> keys = new ArrayList<>(List.of("name", "ties", "causal-bounds"));
    keys.addAll(OamReader.KEYS);
    section.refuseOthers(keys);
    if (refusesSeeded(name, section, ties)) {
      return null;
    }
    OamSpec oam = OamReader.read(section, variables, reward);
    return oam == null ? null : PolicySpec.of(name, Ties.LOWEST, causalBounds, oam);
  }

  /** Says whether a constraint is given to a family whose policies have theirs by name, or none. */
  private static boolean refusesConstraint(PolicyName name, Section section) {
    Field field = section.get("constraint");
    String reason =
        switch (name.family()) {
          case TABULAR, LINEAR -> null;
          case LOGISTIC ->
              "no constraint: of logistic policies cclb, eps-cclb and dual-upper price effects,"
                  + " screen and forced-exploration screen them, and screen with slack: 0 is the"
                  + " hard constraint";
          case ALLOCATION ->
              "no constraint: allocations are planned over all arms and contexts before effects are"
                  + " known; linucb takes one";
          case EXPERIMENT ->
              "no constraint: an experiment certifies effects against fairness.tau by itself";
        };
    if (field == null || reason == null) {
      return false;
    }
    field.fault(reason);
    return true;
  }

  private static boolean refusesExplore(PolicyName name, Section section) {
    Field field = section.get("explore");
    if (field != null && name.family() == PolicyName.Family.EXPERIMENT) {
      field.fault(
          "no explore: an experiment draws its samples by its own plan, and logs how likely");
      return true;
    }
    return false;
  }

  private static boolean refusesSeeded(PolicyName name, Section section, @Nullable Ties ties) {
    Field field = section.get("ties");
    if (ties == Ties.SEEDED && field != null) {
      field.fault("lowest: so are ties of " + name.wire() + " broken");
      return true;
    }
    return false;
  }

  private @Nullable PolicySpec logistic(
      PolicyName name, Section section, @Nullable RewardRule reward, @Nullable Ties ties) {
    List<String> keys = new ArrayList<>(List.of("name", "ties"));
    keys.addAll(LogisticReader.KEYS);
    section.refuseOthers(keys);
    LogisticSpec logistic =
        ties == null ? null : LogisticReader.read(name, section, variables, reward, ties);
    return logistic == null || ties == null ? null : PolicySpec.of(name, ties, null, logistic);
  }

  private static @Nullable PolicySpec experiment(
      PolicyName name, Section section, @Nullable Arms arms, @Nullable RewardRule reward) {
    List<String> keys = new ArrayList<>(List.of("name"));
    keys.addAll(ExperimentReader.KEYS);
    section.refuseOthers(keys);
    ExperimentSpec experiment = ExperimentReader.read(name, section, arms, reward);
    return experiment == null ? null : PolicySpec.of(name, Ties.LOWEST, null, experiment);
  }

  private @Nullable PolicyName name(Field field) {
    PolicyName name = field.oneOf(PolicyName.values(), PolicyName::wire);
    boolean noneSensitive =
        variables.knowsAllRoles() && variables.names(VariableRole.SENSITIVE).isEmpty();
    if (name != null && name.isConstrained() && noneSensitive) {
      field.fault(name.wire() + " needs a variable with the role sensitive");
    }
    return name;
  }

  /** Returns the number of the field, or the reward's scale. */
  static @Nullable Double scaleOr(@Nullable Field field, @Nullable RewardRule reward) {
    if (field != null) {
      return field.positive(RewardRule.LARGEST);
    }
    return reward == null ? null : Double.valueOf(reward.scale());
  }

  private static @Nullable SeparatingRule rule(PolicyName name, @Nullable Field field) {
    SeparatingRule byDefault =
        switch (name) {
          case UCB, UCB_PCB -> SeparatingRule.ALL;
          case C_UCB -> SeparatingRule.PARENTS;
          case D_UCB, F_UCB -> SeparatingRule.CHEAPEST;
          default -> throw new IllegalStateException(name + " has no cells");
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
    List<String> allowed = new ArrayList<>(variables.names());
    allowed.removeAll(variables.names(VariableRole.REWARD));
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
      Section section = Section.ofNames(item);
      section.refuseOthers(variables.names(VariableRole.ACTION));
      section.fields().forEach((action, levels) -> rule.put(action, allowedLevels(action, levels)));
      if (section.isMapping() && rule.isEmpty()) {
        item.fault("an empty mapping", "actions and their levels; an empty one would hold for all");
      }
      safe.add(rule);
    }
    return safe;
  }

  private List<String> allowedLevels(String action, Field field) {
    SpecVariable variable = variables.sound(action);
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

  private static List<String> names() {
    return Arrays.stream(PolicyName.values()).map(PolicyName::wire).toList();
  }
}
