package io.equipoise.policy.linear;

import io.equipoise.segmentspec.ArmReader;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.VariableTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code policy.warm-start} and {@code policy.adjust-for} of a policy that starts warm. */
final class WarmStartReader {
  private final Section policy;
  private final VariableTable variables;
  private final NumberRange numberRange;
  private final Set<String> shown;
  private final Map<List<Object>, Integer> lines = new LinkedHashMap<>();
  private @Nullable Set<String> named;

  private WarmStartReader(
      Section policy, VariableTable variables, NumberRange numberRange, Set<String> shown) {
    this.policy = policy;
    this.variables = variables;
    this.numberRange = numberRange;
    this.shown = shown;
  }

  /** Returns null after a fault; the features and the reward must have none. */
  static @Nullable WarmStart read(
      Section policy, VariableTable variables, FeatureMap features, RewardRule reward) {
    Set<String> shown = new LinkedHashSet<>();
    for (String variable : features.variables()) {
      VariableRole variableRole = variables.role(variable);
      if (variableRole != null && variableRole.isFeature()) {
        shown.add(variable);
      }
    }
    Field evidence = policy.get("warm-start");
    if (evidence != null && features.hasNumbers()) {
      evidence.fault("features without number: a row stands for all people with these levels");
      return null;
    }
    return new WarmStartReader(policy, variables, reward.range(), shown).start();
  }

  private @Nullable WarmStart start() {
    List<Field> items = policy.items("warm-start");
    List<WarmStartRow> rows = new ArrayList<>();
    for (Field item : items) {
      WarmStartRow row = row(item);
      if (row != null) {
        rows.add(row);
      }
    }
    Field adjust = policy.get("adjust-for");
    List<String> adjustFor = adjust == null ? List.of() : adjustFor(adjust);
    return rows.isEmpty() || rows.size() < items.size() || adjustFor == null
        ? null
        : new WarmStart(rows, adjustFor);
  }

  private @Nullable WarmStartRow row(Field item) {
    Section section = policy.inner(item, "policy.warm-start[]");
    String arm = section.text("arm");
    Section contextSection = section.names("context");
    Map<String, String> context = contextSection == null ? Map.of() : context(contextSection);
    long n = section.whole("n");
    Field meanField = section.get("mean");
    double mean = section.number("mean");
    if (meanField != null && (mean < numberRange.low() || mean > numberRange.high())) {
      meanField.fault(
          "a number from " + numberRange.low() + " to " + numberRange.high() + ", reward.range");
    }
    if (arm == null || context == null || !section.isSound()) {
      return null;
    }
    return isFitting(item, arm, context) ? new WarmStartRow(arm, context, n, mean) : null;
  }

  private @Nullable Map<String, String> context(Section section) {
    List<String> allowed = new ArrayList<>();
    for (String name : variables.names()) {
      VariableRole variableRole = variables.role(name);
      if (variableRole != null && variableRole.isFeature()) {
        allowed.add(name);
      }
    }
    section.refuseOthers(allowed);
    Map<String, String> context = new LinkedHashMap<>();
    section
        .fields()
        .forEach(
            (name, field) -> {
              SpecVariable variable = variables.sound(name);
              int level = variable == null ? -1 : ArmReader.levelOf(variable, field);
              if (variable != null && level >= 0) {
                context.put(name, variable.levels().get(level));
              }
            });
    return section.isSound() && context.size() == section.fields().size() ? context : null;
  }

  private boolean isFitting(Field item, String arm, Map<String, String> context) {
    Set<String> names = context.keySet();
    if (named == null) {
      named = Set.copyOf(names);
      if (!names.containsAll(shown)) {
        item.fault("a row that names " + names, "at least " + shown + ", which features show");
        return false;
      }
    } else if (!named.equals(names)) {
      item.fault("a row that names " + names, "the same variables in every row");
      return false;
    }
    Integer first = lines.putIfAbsent(List.of(arm, Map.copyOf(context)), item.line());
    if (first != null) {
      item.fault("a second row of its arm and context", "the first is in line " + first);
    }
    return first == null;
  }

  private @Nullable List<String> adjustFor(Field field) {
    List<String> allowed = named == null ? List.of() : named.stream().sorted().toList();
    List<String> found = new ArrayList<>();
    boolean isSound = field.isList();
    for (Field item : field.items()) {
      String name = item.text();
      if (name != null && (!allowed.contains(name) || found.contains(name))) {
        item.fault(
            found.contains(name)
                ? "every variable once"
                : "a variable that the evidence names: " + Nearest.oneOf(name, allowed));
        isSound = false;
      }
      isSound &= name != null;
      found.add(String.valueOf(name));
    }
    return isSound ? found : null;
  }
}
