package io.equipoise.policy.linear;

import io.equipoise.event.AssumptionKind;
import io.equipoise.policy.AssumptionFindings;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.FeatureFindings;
import io.equipoise.policy.ModelEvidence;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.segmentspec.FairnessSpec;
import io.equipoise.segmentspec.Forget;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Declares the policies whose statistics are ridge regressions over features. */
public final class LinearFamily implements PolicyFamily {
  @Override
  public String name() {
    return "linear";
  }

  @Override
  public int version() {
    return 0;
  }

  @Override
  public List<? extends PolicyName> policies() {
    return List.of(LinearPolicyName.values());
  }

  @Override
  public @Nullable PolicySpec read(PolicyName name, PolicySection section) {
    return LinearReader.read((LinearPolicyName) name, section);
  }

  @Override
  public Policy compile(SegmentSpec spec) {
    return LinearPolicy.compile(spec);
  }

  @Override
  public Map<Integer, Supplier<StateBlock>> formats() {
    return Map.of(
        (int) RidgeRegression.FORMAT, RidgeRegression::new,
        (int) ContrastBlock.FORMAT, ContrastBlock::new,
        (int) GroupMeans.FORMAT, GroupMeans::new,
        (int) PolicyState.FORMAT, PolicyState::new,
        (int) EarnState.FORMAT, EarnState::new);
  }

  @Override
  public @Nullable CertificateForecast forecast(Policy policy, Expected expected) {
    return ((LinearPolicy) policy).forecast(expected);
  }

  @Override
  public @Nullable String whyNoForecast(Policy policy) {
    return ExpectedDesigns.whyNoForecast(((LinearPolicy) policy).isTooLarge());
  }

  @Override
  public void assumptions(Policy policy, AssumptionFindings findings) {
    LinearPolicy linear = (LinearPolicy) policy;
    LinearSpec spec = LinearSpec.of(policy.spec());
    boolean isForgetful = !spec.forget().equals(Forget.NOTHING);
    double bound = linear.bound.norm();
    String norm = "coefficients of norm %.3g at most".formatted(bound);
    if (spec.warmStart() != null || isForgetful) {
      findings.untested(norm, "the model forgets, or starts from offline evidence");
    } else {
      findings.evidence(
          new ModelEvidence(
              AssumptionKind.NORM,
              norm,
              Double.doubleToLongBits(bound),
              null,
              linear::logEvidenceAgainstNorm,
              "raise policy.theta-norm, or scale the numbers of policy.features to the size of 1"));
    }
    FairnessSpec fairness = policy.spec().fairness();
    if (linear.hasContrasts()) {
      findings.evidence(intersections(linear, -StrictMath.log(fairness.delta())));
    }
    findings.features(linear.seen.features(), "linear", isForgetful, fairness.scale());
  }

  /**
   * Returns the evidence that one vector of coefficients explains all rewards: if it does, the
   * intervals of an effect at all times have a point in common, with probability 1 - delta.
   * Intervals move at decisions, so the next reward after an empty intersection reports it. The
   * test has the delta of the certificates and takes no part of that of the other tests.
   */
  private static ModelEvidence intersections(LinearPolicy linear, double logOneOverDelta) {
    return new ModelEvidence(
        AssumptionKind.MODEL,
        "intervals of each effect that do not exclude each other",
        linear.meaningOfContrasts(),
        logOneOverDelta,
        (state, experience) -> linear.isModelRefuted(state, experience) ? logOneOverDelta : 0,
        "start the model with nothing under a new spec: rewards drifted, or arrive late"
            + " depending on what they are, or policy.features lacks what they depend on");
  }

  @Override
  public void check(Policy policy, CheckFindings findings) {
    LinearPolicy linear = (LinearPolicy) policy;
    FeatureFindings.dimension(linear.dimension(), findings);
    FeatureFindings.effects(linear.spec(), linear.seen, findings);
    String parts = String.join(", ", linear.bound.parts());
    boolean isStated = LinearSpec.of(linear.spec()).thetaNorm() != null;
    findings.line(
        "  theta-norm %.3g%s",
        linear.bound.norm(), isStated ? ", stated" : ", derived; each term has at most: " + parts);
    findings.put("thetaNorm", linear.bound.norm());
    dropped(linear.spec(), findings);
    if (linear.isEllipsoidLeft()) {
      findings.line("  %s", CertificateForecast.ELLIPSOID_LEFT);
    }
    evidence(linear.spec(), findings);
    linear.warnings().forEach(findings::warn);
  }

  private static void dropped(SegmentSpec spec, CheckFindings findings) {
    if (spec.policy().name() == LinearPolicyName.LINUCB_UNAWARE) {
      List<String> dropped = LinearSpec.of(spec).dropped();
      findings.line("  sees nothing of %s, but whether a variable matches another", dropped);
      findings.put("dropped", dropped);
    }
  }

  private static void evidence(SegmentSpec spec, CheckFindings findings) {
    WarmStart start = LinearSpec.of(spec).warmStart();
    if (start == null) {
      return;
    }
    long rows = start.rows().stream().mapToLong(WarmStartRow::n).sum();
    findings.line(
        "  starts from %d logged rows in %d cells of (arm, context), as if they were rewards%s",
        rows,
        start.rows().size(),
        start.adjustFor().isEmpty() ? "" : "; sums out " + start.adjustFor());
    findings.put("warmStartRows", rows);
    findings.put("evidenceCells", start.rows().size());
  }
}
