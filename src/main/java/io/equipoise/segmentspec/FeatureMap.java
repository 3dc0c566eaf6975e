package io.equipoise.segmentspec;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Lists the features of a linear or logistic model, in their order. */
public record FeatureMap(List<FeatureTerm> terms) {
  /** Copies the list. */
  public FeatureMap {
    terms = List.copyOf(terms);
  }

  /**
   * Returns the map of a spec that names none: the constant, then every context, sensitive and
   * action variable by itself, and for a model of all arms the product of each sensitive variable
   * with each action, so that effects may differ between arms. Numbers are scaled to [0, 1] over
   * their usual range if it is stated, else over their range. Sensitive ones are an exception:
   * their other worlds are bins and not numbers.
   *
   * @param isShared whether one model learns from all arms
   */
  public static FeatureMap ofAll(
      List<SpecVariable> features, List<SpecVariable> actions, boolean isShared) {
    List<FeatureTerm> terms = new ArrayList<>();
    terms.add(new FeatureTerm.Intercept());
    features.forEach(variable -> terms.add(whole(variable)));
    actions.forEach(variable -> terms.add(whole(variable)));
    for (SpecVariable variable : isShared ? features : List.<SpecVariable>of()) {
      if (variable.role() == VariableRole.SENSITIVE) {
        actions.forEach(it -> terms.add(new FeatureTerm.Product(whole(variable), whole(it))));
      }
    }
    return new FeatureMap(terms);
  }

  /**
   * Returns a count of features in words that say whether the map is the one of a spec that names
   * none.
   */
  public String count(int features, Variables variables, boolean isShared) {
    boolean isDefault = equals(ofAll(variables.features(), variables.actions(), isShared));
    return features + " features" + (isDefault ? ", those of a spec without the key" : "");
  }

  /** Returns the variables that any feature depends on, in the order of the terms. */
  public Set<String> variables() {
    Set<String> found = new LinkedHashSet<>();
    terms.forEach(term -> collect(term, found));
    return found;
  }

  private static void collect(FeatureTerm term, Set<String> found) {
    if (term instanceof FeatureTerm.OneHot oneHot) {
      found.add(oneHot.variable());
    } else if (term instanceof FeatureTerm.Level level) {
      found.add(level.variable());
    } else if (term instanceof FeatureTerm.Numeric number) {
      found.add(number.variable());
    } else if (term instanceof FeatureTerm.Match match) {
      found.add(match.left());
      found.add(match.right());
    } else if (term instanceof FeatureTerm.Product product) {
      collect(product.left(), found);
      collect(product.right(), found);
    }
  }

  /** Returns whether any feature depends on a number rather than a level. */
  public boolean hasNumbers() {
    return terms.stream().anyMatch(FeatureMap::isNumber);
  }

  private static boolean isNumber(FeatureTerm term) {
    return term instanceof FeatureTerm.Numeric
        || (term instanceof FeatureTerm.Product product
            && (isNumber(product.left()) || isNumber(product.right())));
  }

  private static FeatureTerm whole(SpecVariable variable) {
    return variable.range() == null || variable.role() == VariableRole.SENSITIVE
        ? new FeatureTerm.OneHot(variable.name())
        : scaled(variable, variable.range());
  }

  /** Returns a number scaled to [0, 1] over its usual range, or over its range without one. */
  static FeatureTerm scaled(SpecVariable variable, NumberRange range) {
    NumberRange over = variable.usual() == null ? range : variable.usual();
    return new FeatureTerm.Numeric(variable.name(), over.low(), over.width());
  }
}
