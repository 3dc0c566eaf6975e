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
  /** The keys that it reads. */
  static final List<String> KEYS = List.of("warm-start", "adjust-for");

  private static final long MOST_ROWS = 1_000_000_000;
  private static final int MOST_CELLS = 100_000;

  private final VariableTable variables;
  private final NumberRange numberRange;
  private final Set<String> shown;
  private final Map<List<Object>, Integer> lines = new LinkedHashMap<>();
  private @Nullable Set<String> named;

  private WarmStartReader(VariableTable variables, NumberRange numberRange, Set<String> shown) {
    this.variables = variables;
    this.numberRange = numberRange;
    this.shown = shown;
  }

  /** Makes faults of what a policy that does not start warm has no use for. */
  static void refuse(Section section) {
    for (String key : KEYS) {
      Field field = section.get(key);
      if (field != null) {
        field.fault("only linucb-cp and linucb-biased start from evidence");
      }
    }
  }

  /** Returns null after a fault; the features and the reward must have none. */
  static @Nullable WarmStart read(
      LinearPolicyName name,
      Section section,
      VariableTable variables,
      FeatureMap features,
      RewardRule reward) {
    Field evidence =
        section.require("warm-start", "a list of {arm, context, n, mean}: what the log says");
    Field adjust = section.get("adjust-for");
    if (adjust != null && name != LinearPolicyName.LINUCB_BIASED) {
      adjust.fault("only linucb-biased sums variables out");
      return null;
    }
    Set<String> shown = new LinkedHashSet<>();
    for (String variable : features.variables()) {
      VariableRole variableRole = variables.role(variable);
      if (variableRole != null && variableRole.isFeature()) {
        shown.add(variable);
      }
    }
    if (evidence == null) {
      return null;
    }
    if (features.hasNumbers()) {
      evidence.fault("features without number: a row stands for all people with these levels");
      return null;
    }
    return new WarmStartReader(variables, reward.range(), shown).start(evidence, adjust);
  }

  private @Nullable WarmStart start(Field evidence, @Nullable Field adjust) {
    List<Field> items = evidence.items();
    if (evidence.isList() && (items.isEmpty() || items.size() > MOST_CELLS)) {
      evidence.fault(items.size() + " rows", "1 to " + MOST_CELLS + " rows");
      return null;
    }
    List<WarmStartRow> rows = new ArrayList<>();
    for (Field item : items) {
      WarmStartRow row = row(item);
      if (row != null) {
        rows.add(row);
      }
    }
    List<String> adjustFor = adjust == null ? List.of() : adjustFor(adjust);
    return rows.isEmpty() || rows.size() < items.size() || adjustFor == null
        ? null
        : new WarmStart(rows, adjustFor);
  }

  private @Nullable WarmStartRow row(Field item) {
    Section section = Section.of(item, "arm", "context", "n", "mean");
    Field armField = section.require("arm", "the id of an arm");
    Field contextField = section.get("context");
    Field countField = section.require("n", "how many rows the log has of them");
    Field meanField = section.require("mean", "the mean of their rewards");
    String arm = armField == null ? null : armField.text();
    Map<String, String> context = contextField == null ? Map.of() : context(contextField);
    Long n = countField == null ? null : countField.whole(1, MOST_ROWS);
    Double mean = meanField == null ? null : meanField.number();
    if (meanField != null && mean != null && !numberRange.contains(mean)) {
      meanField.fault(
          "a number from " + numberRange.low() + " to " + numberRange.high() + ", reward.range");
      mean = null;
    }
    if (arm == null || context == null || n == null || mean == null) {
      return null;
    }
    return isFitting(item, arm, context) ? new WarmStartRow(arm, context, n, mean) : null;
  }

  private @Nullable Map<String, String> context(Field field) {
    Section section = Section.ofNames(field);
    List<String> allowed = new ArrayList<>();
    for (String name : variables.names()) {
      VariableRole variableRole = variables.role(name);
      if (variableRole != null && variableRole.isFeature()) {
        allowed.add(name);
      }
    }
    section.refuseOthers(allowed);
    Map<String, String> context = new LinkedHashMap<>();
    boolean isSound = section.isMapping();
    for (Map.Entry<String, Field> entry : section.fields().entrySet()) {
      SpecVariable variable = variables.sound(entry.getKey());
      int level = variable == null ? -1 : ArmReader.levelOf(variable, entry.getValue());
      isSound &= level >= 0 && allowed.contains(entry.getKey());
      if (variable != null && level >= 0) {
        context.put(entry.getKey(), variable.levels().get(level));
      }
    }
    return isSound ? context : null;
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
