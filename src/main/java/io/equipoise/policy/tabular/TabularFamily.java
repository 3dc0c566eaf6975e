package io.equipoise.policy.tabular;

import io.equipoise.causal.SeparatingSet;
import io.equipoise.policy.AssumptionFindings;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.StateBlock;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Policies whose statistics are counts and moments of cells. */
public final class TabularFamily implements PolicyFamily {
  @Override
  public String name() {
    return "tabular";
  }

  @Override
  public int version() {
    return 0;
  }

  @Override
  public List<? extends PolicyName> policies() {
    return List.of(TabularPolicyName.values());
  }

  @Override
  public @Nullable PolicySpec read(PolicyName name, PolicySection section) {
    return TabularReader.read((TabularPolicyName) name, section);
  }

  @Override
  public List<SpecFault> faults(SegmentSpec spec) {
    boolean isUseless =
        !TabularSpec.of(spec).safe().isEmpty() && spec.policy().name() != TabularPolicyName.F_UCB;
    return isUseless
        ? List.of(
            new SpecFault(
                "policy.safe",
                "safe arms",
                "none: only f-ucb falls back to arms that are known to be fair"))
        : List.of();
  }

  @Override
  public Policy compile(SegmentSpec spec) {
    return TabularPolicy.compile(spec);
  }

  @Override
  public Map<Integer, Supplier<StateBlock>> formats() {
    return Map.of(
        (int) CellBlock.FORMAT,
        CellBlock::new,
        Byte.toUnsignedInt(DualState.FORMAT),
        DualState::new);
  }

  @Override
  public @Nullable CertificateForecast forecast(Policy policy, Expected expected) {
    return ((TabularPolicy) policy).forecast(expected);
  }

  @Override
  public void assumptions(Policy policy, AssumptionFindings findings) {
    SeparatingSet set = ((TabularPolicy) policy).separatingSet();
    findings.tables(set.mediators());
    findings.cells(set.variables(), rewardScale(policy.spec()));
  }

  /** Returns the scale that the certificates use; bounded rewards have half their range. */
  private static double rewardScale(SegmentSpec spec) {
    double halfRange = spec.reward().range().width() / 2;
    return switch (spec.fairness().confidence()) {
      case SUB_GAUSSIAN -> spec.fairness().scale();
      case JOINT -> halfRange;
      case PAPER -> spec.reward().bounded() ? halfRange : spec.reward().scale();
    };
  }

  @Override
  public void check(Policy policy, CheckFindings findings) {
    new SpecFindings((TabularPolicy) policy).report(findings);
  }
}
