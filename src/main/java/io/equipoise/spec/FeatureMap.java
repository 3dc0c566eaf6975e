package io.equipoise.spec;

import java.util.ArrayList;
import java.util.List;

/** Which features a linear or logistic model has, in their order. */
public record FeatureMap(List<FeatureTerm> terms) {
  /** Copies the list. */
  public FeatureMap {
    terms = List.copyOf(terms);
  }

  /**
   * Returns the map of a spec that names none: the constant, then every context, sensitive and
   * action variable by itself; numbers are scaled to [0, 1] over their range.
   */
  public static FeatureMap ofAll(List<SpecVariable> features, List<SpecVariable> actions) {
    List<FeatureTerm> terms = new ArrayList<>();
    terms.add(new FeatureTerm.Intercept());
    features.forEach(variable -> terms.add(whole(variable)));
    actions.forEach(variable -> terms.add(whole(variable)));
    return new FeatureMap(terms);
  }

  private static FeatureTerm whole(SpecVariable variable) {
    Range range = variable.range();
    return range == null
        ? new FeatureTerm.OneHot(variable.name())
        : new FeatureTerm.Numeric(variable.name(), range.low(), range.width());
  }
}
