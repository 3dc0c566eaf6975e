package io.equipoise.sample;

import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.StateBlock;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.PolicySpec.FamilySpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.Ties;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A sample of a policy family: plays each arm with the softmax of its mean reward in the cell of
 * the person.
 */
public final class SoftmaxFamily implements PolicyFamily {
  static final PolicyName SOFTMAX = () -> "softmax";

  private static final double MOST_TEMPERATURE = 1e6;

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
  public @Nullable PolicySpec read(PolicyName name, PolicySection section) {
    section.fields().refuseOthers(List.of("name", "temperature"));
    Field field = section.fields().require("temperature", "a number greater than 0");
    Double temperature = field == null ? null : field.positive(MOST_TEMPERATURE);
    return temperature == null
        ? null
        : new PolicySpec(name, Ties.LOWEST, null, new SoftmaxSpec(temperature));
  }

  @Override
  public Policy compile(SegmentSpec spec) {
    return new SoftmaxPolicy(spec, (SoftmaxSpec) spec.policy().family());
  }

  @Override
  public Map<Integer, Function<ByteBuffer, StateBlock>> formats() {
    return Map.of(MeansBlock.FORMAT, MeansBlock::readFrom);
  }

  @Override
  public void check(Policy policy, CheckFindings findings) {
    SoftmaxPolicy softmax = (SoftmaxPolicy) policy;
    findings.line("  softmax over %d cells of %d arms", softmax.cells(), softmax.arms());
    findings.put("cells", softmax.cells());
    softmax.warnings().forEach(findings::warn);
  }
}
