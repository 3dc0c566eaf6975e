package io.equipoise.policy.allocation;

import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.ExploreReader;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureMapReader;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.Ties;
import org.jspecify.annotations.Nullable;

/** Reads what {@code policy} says of optimal allocation matching. */
final class OamReader {
  private OamReader() {}

  /** Returns null after a fault, also in the reward. */
  static @Nullable PolicySpec read(OamPolicyName name, PolicySection section) {
    Section keys = section.fields();
    RewardRule reward = section.reward();
    CausalBoundsSpec causalBounds = section.causalBounds();
    Ties ties = section.ties();
    FeatureMap features = FeatureMapReader.read(keys, section.variables());
    long horizon = keys.whole("horizon");
    double scale = reward == null ? Double.NaN : reward.scale();
    double variance = keys.number("variance", scale * scale);
    double kappa = keys.number("kappa");
    double epsilon = keys.number("epsilon");
    double ridge = keys.number("ridge");
    Double norm = keys.optionalNumber("theta-norm");
    ExploreSpec explore =
        ExploreReader.read(
            keys, "all; allocations are planned before effects are known, so there is no fair set");
    if (features != null && features.hasNumbers()) {
      Field field = keys.get("features");
      (field == null ? keys.field() : field)
          .fault("features without number: it tells a finite number of contexts apart");
    }
    if (features == null || ties == null || explore == null || reward == null || !keys.isSound()) {
      return null;
    }
    OamSpec oam = new OamSpec(features, horizon, variance, kappa, epsilon, ridge, norm, explore);
    return new PolicySpec(name, ties, causalBounds, oam);
  }
}
