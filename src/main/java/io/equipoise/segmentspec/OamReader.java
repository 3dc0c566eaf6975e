package io.equipoise.segmentspec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what {@code policy} says of optimal allocation matching. */
final class OamReader {
  /** The keys that it reads, besides those of every policy. */
  static final List<String> KEYS =
      List.of(
          "features", "horizon", "variance", "kappa", "epsilon", "ridge", "theta-norm", "explore");

  private static final double DEFAULT_EPSILON = 0.005;
  private static final long LONGEST = 1_000_000_000;

  private OamReader() {}

  /** Returns null after a fault, also in the reward. */
  static @Nullable OamSpec read(
      Section section, VariableTable variables, @Nullable RewardRule reward) {
    Field featuresField = section.get("features");
    FeatureMap features = FeatureMapReader.read(featuresField, variables);
    Field horizonField = section.require("horizon", "how many decisions it plans for");
    Long horizon = horizonField == null ? null : horizonField.whole(3, LONGEST);
    Double variance =
        positiveOr(section, "variance", reward == null ? 1 : reward.scale() * reward.scale());
    Double kappa = number(section.get("kappa"), 0, 0, 1e6);
    Double epsilon = number(section.get("epsilon"), DEFAULT_EPSILON, 0, 1);
    Field ridgeField = section.get("ridge");
    Double ridge = ridgeField == null ? Double.valueOf(1) : ridgeField.ridge();
    Double norm = positiveOr(section, "theta-norm", reward == null ? 1 : largest(reward.range()));
    ExploreSpec explore =
        ExploreReader.read(
            section.get("explore"),
            "over: all: allocations are planned before effects are known, so there is no fair set");
    if (features != null && features.hasNumbers()) {
      (featuresField == null ? section.field() : featuresField)
          .fault("features without number: it tells a finite number of contexts apart");
      return null;
    }
    return features == null
            || horizon == null
            || variance == null
            || kappa == null
            || epsilon == null
            || ridge == null
            || norm == null
            || explore == null
            || reward == null
        ? null
        : new OamSpec(features, horizon, variance, kappa, epsilon, ridge, norm, explore);
  }

  private static double largest(NumberRange numberRange) {
    return Math.max(Math.abs(numberRange.low()), Math.abs(numberRange.high()));
  }

  private static @Nullable Double positiveOr(Section section, String key, double byDefault) {
    Field field = section.get(key);
    return field == null ? Double.valueOf(byDefault) : field.positive();
  }

  private static @Nullable Double number(
      @Nullable Field field, double byDefault, double least, double most) {
    Double value = field == null ? Double.valueOf(byDefault) : field.number();
    if (field != null && value != null && (value < least || value > most)) {
      field.fault("a number from " + Levels.shown(least) + " to " + Levels.shown(most));
      return null;
    }
    return value;
  }
}
