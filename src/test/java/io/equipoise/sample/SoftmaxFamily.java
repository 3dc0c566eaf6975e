package io.equipoise.sample;

import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.StateBlock;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.PolicySpec.FamilySpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecKeys;
import io.equipoise.segmentspec.Ties;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A sample of a policy family: plays each arm with the softmax of its mean reward in the cell of
 * the person.
 */
public final class SoftmaxFamily implements PolicyFamily {
  static final PolicyName SOFTMAX = () -> "softmax";

  /**
   * What the section {@code policy} says.
   *
   * @param temperature above 0; the higher, the more alike are the probabilities of the arms
   */
  record SoftmaxSpec(double temperature) implements FamilySpec {}

  @Override
  public String name() {
    return "softmax";
  }

  @Override
  public List<PolicyName> policies() {
    return List.of(SOFTMAX);
  }

  @Override
  public SpecKeys keys() {
    return SpecKeys.parse(
        """
        # policy | Plays each arm with the softmax of its mean reward.
        name | text | required | The policy.
        temperature | number (0, 1e6] | required | The higher, the more alike are the chances.
        """);
  }

  @Override
  public @Nullable PolicySpec read(PolicyName name, PolicySection section) {
    double temperature = section.fields().number("temperature");
    return section.fields().isSound()
        ? new PolicySpec(name, Ties.LOWEST, null, new SoftmaxSpec(temperature))
        : null;
  }

  @Override
  public Policy compile(SegmentSpec spec) {
    return new SoftmaxPolicy(spec, (SoftmaxSpec) spec.policy().family());
  }

  @Override
  public Map<Integer, Supplier<StateBlock>> formats() {
    return Map.of(MeansBlock.FORMAT, MeansBlock::new);
  }

  @Override
  public void check(Policy policy, CheckFindings findings) {
    SoftmaxPolicy softmax = (SoftmaxPolicy) policy;
    findings.line("  softmax over %d cells of %d arms", softmax.cells(), softmax.arms());
    findings.put("cells", softmax.cells());
    softmax.warnings().forEach(findings::warn);
  }
}
