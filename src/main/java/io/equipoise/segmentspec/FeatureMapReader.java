package io.equipoise.segmentspec;

import io.equipoise.segmentspec.FeatureTerm.Intercept;
import io.equipoise.segmentspec.FeatureTerm.Level;
import io.equipoise.segmentspec.FeatureTerm.Match;
import io.equipoise.segmentspec.FeatureTerm.Numeric;
import io.equipoise.segmentspec.FeatureTerm.OneHot;
import io.equipoise.segmentspec.FeatureTerm.Product;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code policy.features}: a list of terms, or of words and mappings of one key. */
public final class FeatureMapReader {
  private static final String INTERCEPT = "intercept";
  private static final List<String> TERMS =
      List.of("intercept", "one-hot", "level", "number", "match", "product");
  private static final int MAX_DEPTH = 4;
  private static final int MAX_FACTORS = 16;

  private final VariableTable variables;

  private FeatureMapReader(VariableTable variables) {
    this.variables = variables;
  }

  /** Returns null after a fault. */
  public static @Nullable FeatureMap read(@Nullable Field field, VariableTable variables) {
    if (field == null) {
      return byDefault(variables);
    }
    FeatureMapReader reader = new FeatureMapReader(variables);
    List<FeatureTerm> terms = new ArrayList<>();
    List<Field> items = field.items();
    for (Field item : items) {
      FeatureTerm term = reader.term(item, 1);
      if (term != null) {
        terms.add(term);
      }
    }
    if (field.isList() && items.isEmpty()) {
      field.fault("an empty list", "at least one term");
    }
    return !terms.isEmpty() && terms.size() == items.size() ? new FeatureMap(terms) : null;
  }

  private static @Nullable FeatureMap byDefault(VariableTable variables) {
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
    return actions == null ? null : FeatureMap.ofAll(features, actions);
  }

  private @Nullable FeatureTerm term(Field field, int depth) {
    if (field.isScalar()) {
      if (INTERCEPT.equals(field.text())) {
        return new Intercept();
      }
      field.fault("intercept, or a mapping of one of " + TERMS.subList(1, TERMS.size()));
      return null;
    }
    Section section = Section.of(field, TERMS.subList(1, TERMS.size()).toArray(String[]::new));
    if (!section.isMapping()) {
      return null;
    }
    if (section.fields().size() != 1) {
      field.fault(section.fields().size() + " keys", "one term a list item");
      return null;
    }
    Field value = section.fields().values().iterator().next();
    return switch (section.fields().keySet().iterator().next()) {
      case "one-hot" -> oneHot(value);
      case "level" -> level(value);
      case "number" -> number(value);
      case "match" -> match(value);
      case "product" -> product(value, depth);
      default -> null; // a fault already
    };
  }

  private @Nullable FeatureTerm oneHot(Field field) {
    SpecVariable variable = variable(field);
    return variable == null ? null : new OneHot(variable.name());
  }

  private @Nullable FeatureTerm level(Field field) {
    Section section = Section.of(field, "of", "is");
    Field of = section.require("of", "the name of a variable");
    Field is = section.require("is", "one of its levels");
    SpecVariable variable = of == null ? null : variable(of);
    int level = variable == null || is == null ? -1 : ArmReader.levelOf(variable, is);
    return variable == null || level < 0
        ? null
        : new Level(variable.name(), variable.levels().get(level));
  }

  private @Nullable FeatureTerm number(Field field) {
    if (field.isScalar()) {
      SpecVariable variable = numeric(field);
      NumberRange numberRange = variable == null ? null : variable.range();
      return variable == null || numberRange == null
          ? null
          : new Numeric(variable.name(), numberRange.low(), numberRange.width());
    }
    Section section = Section.of(field, "of", "center", "scale");
    Field of = section.require("of", "the name of a numeric variable");
    SpecVariable variable = of == null ? null : numeric(of);
    Field centerField = section.get("center");
    Field scaleField = section.get("scale");
    Double center = centerField == null ? Double.valueOf(0) : centerField.number();
    Double scale = scaleField == null ? Double.valueOf(1) : scaleField.positive(Double.MAX_VALUE);
    return variable == null || center == null || scale == null
        ? null
        : new Numeric(variable.name(), center, scale);
  }

  private @Nullable FeatureTerm match(Field field) {
    List<Field> items = field.items();
    if (items.size() != 2) {
      field.fault(items.size() + " variables", "two variables with levels of the same names");
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

  private @Nullable FeatureTerm product(Field field, int depth) {
    List<Field> items = field.items();
    if (items.size() < 2 || depth > MAX_DEPTH) {
      field.fault(
          items.size() < 2 ? items.size() + " terms" : "products in products",
          "at least two terms, at most " + MAX_DEPTH + " products deep");
      return null;
    }
    if (items.size() > MAX_FACTORS) {
      field.fault(items.size() + " terms", "a product of at most " + MAX_FACTORS);
      return null;
    }
    FeatureTerm product = null;
    for (Field item : items) {
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
