package io.equipoise.policy.allocation;

import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.FeatureFindings;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.StateBlock;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.SegmentSpec;
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
    FeatureFindings.effects(oam.spec(), oam.seen(), findings);
    oam.warnings().forEach(findings::warn);
  }
}
