package io.equipoise.policy.linear;

import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.Field;
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
final class DropReader {
  private static final String SHAPES =
      "a list of variables, or {correlated: 0.3, correlations: {variable: correlation, ...}}";

  private final VariableTable variables;

  private DropReader(VariableTable variables) {
    this.variables = variables;
  }

  /**
   * Returns null after a fault.
   *
   * @param features null after a fault in them
   */
  static @Nullable List<String> read(
      LinearPolicyName name,
      @Nullable Field field,
      VariableTable variables,
      @Nullable FeatureMap features) {
    if (name != LinearPolicyName.LINUCB_UNAWARE) {
      if (field != null) {
        field.fault("only linucb-unaware drops variables");
      }
      return List.of();
    }
    if (field == null) {
      return variables.names(VariableRole.SENSITIVE);
    }
    if (field.isScalar()) {
      field.fault(SHAPES);
      return null;
    }
    DropReader reader = new DropReader(variables);
    return field.isList() ? reader.named(field) : reader.correlated(field, features);
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
  private @Nullable List<String> correlated(Field field, @Nullable FeatureMap features) {
    Section section = Section.of(field, "correlated", "correlations");
    Field beyondField =
        section.require("correlated", "the correlation beyond which variables are dropped: 0.3");
    Field stated =
        section.require(
            "correlations",
            "that of every context variable; equipoise check --correlations computes them");
    Double beyond = beyondField == null ? null : number(beyondField, 0);
    Map<String, Double> correlations = stated == null ? null : correlations(stated);
    if (beyond == null
        || stated == null
        || correlations == null
        || features == null
        || !isComplete(stated, correlations, features)) {
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

  private @Nullable Map<String, Double> correlations(Field field) {
    Section section = Section.ofNames(field);
    List<String> allowed = variables.names(VariableRole.CONTEXT);
    section.refuseOthers(allowed);
    Map<String, Double> correlations = new HashMap<>();
    section
        .fields()
        .forEach(
            (variable, value) -> {
              Double correlation = number(value, -1);
              if (correlation != null && allowed.contains(variable)) {
                correlations.put(variable, correlation);
              }
            });
    return section.isMapping() && correlations.size() == section.fields().size()
        ? correlations
        : null;
  }

  private static @Nullable Double number(Field field, int least) {
    Double number = field.number();
    if (number != null && !(number >= least && number <= 1)) {
      field.fault("a correlation: a number from " + least + " to 1");
      return null;
    }
    return number;
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
