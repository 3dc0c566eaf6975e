package io.equipoise.segmentspec;

import io.equipoise.event.Decimal;
import io.equipoise.segmentspec.FeatureTerm.Intercept;
import io.equipoise.segmentspec.FeatureTerm.Level;
import io.equipoise.segmentspec.FeatureTerm.Match;
import io.equipoise.segmentspec.FeatureTerm.Numeric;
import io.equipoise.segmentspec.FeatureTerm.OneHot;
import io.equipoise.segmentspec.FeatureTerm.Product;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code policy.features}: a list of terms, or of words and mappings of one key. */
public final class FeatureMapReader {
  private static final String RIDGE = "ridge";
  private static final String INTERCEPT = "intercept";
  private static final int MAX_DEPTH = 4;

  private final Section policy;
  private final VariableTable variables;

  private FeatureMapReader(Section policy, VariableTable variables) {
    this.policy = policy;
    this.variables = variables;
  }

  /** Reads the key {@code features} of the section {@code policy}; null after a fault. */
  public static @Nullable FeatureMap read(
      Section policy, VariableTable variables, boolean isShared) {
    if (policy.get("features") == null) {
      return byDefault(variables, isShared);
    }
    FeatureMapReader reader = new FeatureMapReader(policy, variables);
    List<FeatureTerm> terms = new ArrayList<>();
    List<Field> items = policy.items("features");
    for (Field item : items) {
      FeatureTerm term = reader.term(item, 1);
      if (term != null) {
        terms.add(term);
      }
    }
    return !terms.isEmpty() && terms.size() == items.size() ? new FeatureMap(terms) : null;
  }

  private static @Nullable FeatureMap byDefault(VariableTable variables, boolean isShared) {
    List<SpecVariable> features = new ArrayList<>();
    for (String name : variables.names()) {
      VariableRole variableRole = variables.role(name);
      SpecVariable variable = variables.sound(name);
      if (variableRole == null || variable == null) {
        return null;
      }
      if (variableRole.isFeature()) {
        features.add(variable);
      }
    }
    List<SpecVariable> actions = variables.sound(VariableRole.ACTION);
    return actions == null ? null : FeatureMap.ofAll(features, actions, isShared);
  }

  private @Nullable FeatureTerm term(Field field, int depth) {
    if (field.isScalar()) {
      if (INTERCEPT.equals(field.text())) {
        return new Intercept();
      }
      field.fault("intercept, or a mapping of one of one-hot, level, number, match, product");
      return null;
    }
    Section section = policy.inner(field, "policy.features[]");
    Map.Entry<String, Field> only = section.only();
    if (only == null) {
      return null;
    }
    return switch (only.getKey()) {
      case "one-hot" -> oneHot(only.getValue());
      case "level" -> level(section);
      case "number" -> number(section, only.getValue());
      case "match" -> match(section);
      default -> product(section, depth);
    };
  }

  private @Nullable FeatureTerm oneHot(Field field) {
    SpecVariable variable = variable(field);
    return variable == null ? null : new OneHot(variable.name());
  }

  private @Nullable FeatureTerm level(Section term) {
    Section section = term.section("level");
    Field of = section == null ? null : section.get("of");
    Field is = section == null ? null : section.get("is");
    SpecVariable variable = of == null ? null : variable(of);
    int level = variable == null || is == null ? -1 : ArmReader.levelOf(variable, is);
    return variable == null || level < 0
        ? null
        : new Level(variable.name(), variable.levels().get(level));
  }

  private @Nullable FeatureTerm number(Section term, Field field) {
    if (field.isScalar()) {
      SpecVariable variable = numeric(field);
      NumberRange numberRange = variable == null ? null : variable.range();
      return variable == null || numberRange == null
          ? null
          : FeatureMap.scaled(variable, numberRange);
    }
    Section section = term.inner(field, "policy.features[].number");
    Field of = section.get("of");
    SpecVariable variable = of == null ? null : numeric(of);
    double center = section.number("center");
    double scale = section.number("scale");
    NumberRange range = variable == null ? null : variable.range();
    if (variable == null || range == null || !section.isSound()) {
      return null;
    }
    double size = Math.max(Math.abs(range.low() - center), Math.abs(range.high() - center)) / scale;
    if (size > largest()) {
      field.fault(
          "features of up to " + Field.shown(size),
          "at most "
              + Field.shown(largest())
              + " in size, the root of 1000000 times policy.ridge: another center or a larger scale");
    }
    return new Numeric(variable.name(), center, scale);
  }

  /** Returns the size of a feature beyond which no ridge regression takes it. */
  private double largest() {
    Field given = policy.fields().get(RIDGE);
    double ridge =
        !policy.names().contains(RIDGE)
            ? Double.NaN
            : given == null || !given.isScalar() ? 1 : Decimal.of(String.valueOf(given.text()));
    return Double.isNaN(ridge) ? Double.POSITIVE_INFINITY : 1e3 * Math.sqrt(ridge);
  }

  private @Nullable FeatureTerm match(Section term) {
    Field field = term.get("match");
    List<Field> items = term.items("match");
    if (field == null || items.isEmpty()) {
      return null;
    }
    SpecVariable left = variable(items.get(0));
    SpecVariable right = variable(items.get(1));
    if (left == null || right == null) {
      return null;
    }
    if (left.levels().stream().noneMatch(right.levels()::contains)) {
      field.fault("two variables that share no level", "two that have levels of the same names");
      return null;
    }
    return new Match(left.name(), right.name());
  }

  private @Nullable FeatureTerm product(Section section, int depth) {
    Field field = section.get("product");
    if (field != null && depth > MAX_DEPTH) {
      field.fault("products in products", "at most " + MAX_DEPTH + " products deep");
      return null;
    }
    FeatureTerm product = null;
    for (Field item : section.items("product")) {
      FeatureTerm term = term(item, depth + 1);
      if (term == null) {
        return null;
      }
      product = product == null ? term : new Product(product, term);
    }
    return product;
  }

  private @Nullable SpecVariable numeric(Field field) {
    SpecVariable variable = variable(field);
    if (variable != null && !variable.isNumeric()) {
      field.fault("a variable with a range; one-hot takes one with levels");
      return null;
    }
    if (variable != null && variable.role() == VariableRole.SENSITIVE) {
      field.fault(
          "the number of the sensitive variable " + variable.name(),
          "{one-hot: "
              + variable.name()
              + "}, the bins of its cuts: in another world a person is in another bin, and the bin"
              + " does not say with which number");
      return null;
    }
    return variable;
  }

  /** Returns a sound variable that people or arms have. */
  private @Nullable SpecVariable variable(Field field) {
    String name = field.text();
    if (name == null) {
      return null;
    }
    List<String> allowed = new ArrayList<>();
    for (String known : variables.names()) {
      VariableRole variableRole = variables.role(known);
      if (variableRole != null
          && (variableRole.isFeature() || variableRole == VariableRole.ACTION)) {
        allowed.add(known);
      }
    }
    if (!allowed.contains(name)) {
      if (variables.role(name) != null || !variables.knows(name)) {
        field.fault(Nearest.oneOf(name, allowed));
      }
      return null;
    }
    return variables.sound(name);
  }
}
