package io.equipoise.policy.linear;

import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.KeyType;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.VariableTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code policy.drop}: the variables that {@code linucb-unaware} must not see. They are
 * named, or follow from a correlation with a sensitive variable that is stated for every context
 * variable. So the text of the spec alone says what is dropped, wherever and whenever it is read.
 */
record DropReader(VariableTable variables) {
  private static final String SHAPES =
      "a list of variables, or {correlated: 0.3, correlations: {variable: correlation, ...}}";

  /**
   * Returns null after a fault.
   *
   * @param features null after a fault in them
   */
  static @Nullable List<String> read(
      LinearPolicyName name,
      Section policy,
      VariableTable variables,
      @Nullable FeatureMap features) {
    if (name != LinearPolicyName.LINUCB_UNAWARE) {
      return List.of();
    }
    Field field = policy.get("drop");
    if (field == null) {
      return variables.names(VariableRole.SENSITIVE);
    }
    if (field.isScalar()) {
      field.fault(SHAPES);
      return null;
    }
    DropReader reader = new DropReader(variables);
    return field.isList()
        ? reader.named(field)
        : reader.correlated(policy.inner(field, "policy.drop"), features);
  }

  private @Nullable List<String> named(Field field) {
    List<String> dropped = new ArrayList<>();
    for (Field item : field.items()) {
      String variable = item.text();
      VariableRole variableRole = variable == null ? null : variables.role(variable);
      if (variable == null || variableRole == null || !variableRole.isFeature()) {
        item.fault("a context or sensitive variable");
        return null;
      }
      dropped.add(variable);
    }
    return dropped;
  }

  /** Returns the sensitive variables and the context variables beyond the threshold. */
  private @Nullable List<String> correlated(Section section, @Nullable FeatureMap features) {
    double beyond = section.number("correlated");
    Section stated = section.names("correlations");
    Map<String, Double> correlations =
        stated == null ? null : correlations(stated, section.itemType("correlations"));
    if (stated == null
        || correlations == null
        || features == null
        || !section.isSound()
        || !isComplete(stated.field(), correlations, features)) {
      return null;
    }
    List<String> dropped = new ArrayList<>(variables.names(VariableRole.SENSITIVE));
    for (String variable : variables.names(VariableRole.CONTEXT)) {
      if (Math.abs(correlations.getOrDefault(variable, 0.0)) > beyond) {
        dropped.add(variable);
      }
    }
    return dropped;
  }

  private @Nullable Map<String, Double> correlations(Section section, KeyType type) {
    section.refuseOthers(variables.names(VariableRole.CONTEXT));
    Map<String, Double> correlations = new HashMap<>();
    section.fields().forEach((variable, value) -> correlations.put(variable, value.number(type)));
    return section.isSound() ? correlations : null;
  }

  /** A variable of which nothing is said would be seen without anyone having decided that. */
  private boolean isComplete(Field field, Map<String, Double> stated, FeatureMap features) {
    for (String variable : features.variables()) {
      if (variables.role(variable) == VariableRole.CONTEXT && !stated.containsKey(variable)) {
        field.fault(
            "no correlation of " + variable, "one of every context variable that features show");
        return false;
      }
    }
    return true;
  }
}
