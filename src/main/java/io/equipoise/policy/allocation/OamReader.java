package io.equipoise.policy.allocation;

import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.ExploreReader;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureMapReader;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.Ties;
import io.equipoise.segmentspec.VariableTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what {@code policy} says of optimal allocation matching. */
final class OamReader {
  private static final List<String> KEYS =
      List.of(
          "name",
          "ties",
          "causal-bounds",
          "features",
          "horizon",
          "variance",
          "kappa",
          "epsilon",
          "ridge",
          "theta-norm",
          "explore");

  private static final double DEFAULT_EPSILON = 0.005;
  private static final long LONGEST = 1_000_000_000;

  private OamReader() {}

  /** Returns null after a fault, also in the reward. */
  static @Nullable PolicySpec read(OamPolicyName name, PolicySection section) {
    if (section.refuses(
        "constraint",
        "no constraint: allocations are planned over all arms and contexts before effects are"
            + " known; linucb takes one")) {
      return null;
    }
    CausalBoundsSpec causalBounds = section.causalBounds(name == OamPolicyName.OAM_PCB);
    Ties ties = section.ties();
    section.fields().refuseOthers(KEYS);
    if (section.refusesSeeded(name, ties)) {
      return null;
    }
    OamSpec oam = oam(section.fields(), section.variables(), section.reward());
    return oam == null ? null : new PolicySpec(name, Ties.LOWEST, causalBounds, oam);
  }

  private static @Nullable OamSpec oam(
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
      field.fault("a number from " + Field.shown(least) + " to " + Field.shown(most));
      return null;
    }
    return value;
  }
}
