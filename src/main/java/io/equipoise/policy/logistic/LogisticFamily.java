package io.equipoise.policy.logistic;

import io.equipoise.policy.AssumptionFindings;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.FeatureFindings;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.linear.LinearFamily;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Policies whose statistics are a logistic regression over features; rewards are 0 and 1. */
public final class LogisticFamily implements PolicyFamily {
  @Override
  public String name() {
    return "logistic";
  }

  @Override
  public int version() {
    return 0;
  }

  @Override
  public List<? extends PolicyName> policies() {
    return List.of(
        LogisticPolicyName.GLM_UCB,
        LogisticPolicyName.OFULOG,
        LogisticPolicyName.CCLB,
        LogisticPolicyName.EPS_CCLB,
        LogisticPolicyName.SCREEN,
        LogisticPolicyName.DUAL_UPPER,
        LogisticPolicyName.FORCED_EXPLORATION);
  }

  @Override
  public @Nullable PolicySpec read(PolicyName name, PolicySection section) {
    return LogisticReader.read((LogisticPolicyName) name, section);
  }

  @Override
  public Policy compile(SegmentSpec spec) {
    return LogisticPolicy.compile(spec);
  }

  @Override
  public Map<Integer, Supplier<StateBlock>> formats() {
    return Map.of(
        (int) StreamingModel.FORMAT, StreamingModel::new,
        (int) StreamingModel.REDUCED, StreamingModel::reduced,
        (int) LogisticMemory.FORMAT, LogisticMemory::new,
        (int) PairsBlock.FORMAT, PairsBlock::new);
  }

  @Override
  public @Nullable CertificateForecast forecast(Policy policy, Expected expected) {
    return ((LogisticPolicy) policy).forecast(expected);
  }

  @Override
  public void assumptions(Policy policy, AssumptionFindings findings) {
    LogisticSpec spec = LogisticSpec.of(policy.spec());
    findings.untested(
        "coefficients of norm " + spec.thetaNorm() + " at most",
        "the intervals of a logistic model are approximate");
    findings.features(spec.features(), "logistic", false, null);
  }

  @Override
  public void check(Policy policy, CheckFindings findings) {
    LogisticPolicy logistic = (LogisticPolicy) policy;
    FeatureFindings.dimension(logistic.dimension(), findings);
    FeatureFindings.effects(logistic.spec(), logistic.seen(), findings);
    if (logistic.isEllipsoidLeft()) {
      findings.line(LinearFamily.ELLIPSOID_LEFT);
    }
    logistic.warnings().forEach(findings::warn);
  }
}
