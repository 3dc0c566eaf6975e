package io.equipoise.policy.allocation;

import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.FeatureFindings;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.StateBlock;
import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.ExploreReader;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureMapReader;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.Ties;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Policies whose statistics are pulls of every context and arm, and a least-squares regression. */
public final class AllocationFamily implements PolicyFamily {
  @Override
  public String name() {
    return "allocation";
  }

  @Override
  public int version() {
    return 0;
  }

  @Override
  public List<? extends PolicyName> policies() {
    return List.of(OamPolicyName.values());
  }

  @Override
  public @Nullable PolicySpec read(PolicyName name, PolicySection section) {
    return OamReader.read((OamPolicyName) name, section);
  }

  @Override
  public Policy compile(SegmentSpec spec) {
    return OamPolicy.compile(spec);
  }

  @Override
  public Map<Integer, Supplier<StateBlock>> formats() {
    return Map.of(
        (int) OamStatistics.FORMAT, OamStatistics::new, (int) OamPlan.FORMAT, OamPlan::new);
  }

  @Override
  public void check(Policy policy, CheckFindings findings) {
    OamPolicy oam = (OamPolicy) policy;
    FeatureFindings.dimension(oam.features(), findings);
    findings.line(
        "  %d contexts x %d arms share a theta of dimension %d; gaps below %.3g are not resolved",
        oam.contexts(), oam.spec().arms().size(), oam.dimension(), oam.resolution());
    findings.put("contexts", oam.contexts());
    findings.put("dimension", oam.dimension());
    findings.put("resolution", oam.resolution());
    FeatureFindings.effects(oam.spec(), oam.seen, findings);
    oam.warnings().forEach(findings::warn);
  }

  /** Reads what {@code policy} says of optimal allocation matching. */
  private static final class OamReader {
    private OamReader() {}

    /** Returns null after a fault, also in the reward. */
    static @Nullable PolicySpec read(OamPolicyName name, PolicySection section) {
      Section keys = section.fields();
      RewardRule reward = section.reward();
      CausalBoundsSpec causalBounds = section.causalBounds();
      Ties ties = section.ties();
      FeatureMap features = FeatureMapReader.read(keys, section.variables(), true);
      long horizon = keys.whole("horizon");
      double scale = reward == null ? Double.NaN : reward.scale();
      double variance = keys.number("variance", scale * scale);
      double kappa = keys.number("kappa");
      double epsilon = keys.number("epsilon");
      double ridge = keys.number("ridge");
      Double norm = keys.optionalNumber("theta-norm");
      ExploreSpec explore =
          ExploreReader.read(
              keys,
              "all; allocations are planned before effects are known, so there is no fair set");
      if (features != null && features.hasNumbers()) {
        Field field = keys.get("features");
        String allowed =
            "features without number: " + name.wire() + " distinguishes finitely many contexts";
        if (field == null) {
          keys.field()
              .fault(
                  "no policy.features, whose default shows the numbers of variables with a range",
                  allowed + "; state features of the others, or give levels in place of the range");
        } else {
          field.fault(allowed);
        }
      }
      if (features == null
          || ties == null
          || explore == null
          || reward == null
          || !keys.isSound()) {
        return null;
      }
      OamSpec oam = new OamSpec(features, horizon, variance, kappa, epsilon, ridge, norm, explore);
      return new PolicySpec(name, ties, causalBounds, oam);
    }
  }
}
