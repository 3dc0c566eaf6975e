package io.equipoise.policy;

import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecKeys;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Policies that share a kind of model: the one class that adds policies to the system.
 *
 * <p>A family is found by {@link ServiceLoader} under {@code
 * META-INF/services/io.equipoise.policy.PolicyFamily} and needs a public constructor without
 * parameters. It is stateless and safe for use by many threads.
 *
 * <p>A family in a jar of its own, a foreign one, has a {@link #version} of at least 1 and format
 * codes from {@value PolicyFamilies#FIRST_FOREIGN_FORMAT} to {@value
 * PolicyFamilies#LAST_FOREIGN_FORMAT}. The families of this project have version 0 and codes below.
 */
public interface PolicyFamily {
  /** Returns the name of the family, which no other family has. */
  String name();

  /**
   * Returns the version of what the family computes. It is part of the model fingerprint: state
   * that another version has learned is rejected as an incompatible change. Increase it with every
   * change of a decision, an audit or a byte of state.
   */
  default int version() {
    return 1;
  }

  /** Returns the policies, in the order in which error messages list them. */
  List<? extends PolicyName> policies();

  /**
   * Returns the keys of the section {@code policy} and of sections inside it. Without an own
   * implementation they are in the resource {@code /spec-keys/NAME.txt} with the name of the
   * family.
   */
  default SpecKeys keys() {
    return SpecKeys.of(getClass(), name());
  }

  /**
   * Reads the section {@code policy}. Unknown keys are faults already. Every fault is reported at
   * its field, so that one run shows them all.
   *
   * @param name one of {@link #policies}
   * @return null after a fault, also in the arms or the reward where they are needed
   */
  @Nullable PolicySpec read(PolicyName name, PolicySection section);

  /**
   * Returns the faults of a spec that are found without compiling it. They are reported beside
   * those of {@link #compile}.
   */
  default List<SpecFault> faults(SegmentSpec spec) {
    return List.of();
  }

  /**
   * Compiles a spec that {@link #read} has read.
   *
   * @throws SpecException with all faults
   * @throws IllegalArgumentException if the numbers of the spec cannot be computed with
   */
  Policy compile(SegmentSpec spec);

  /**
   * Returns constructors of empty {@linkplain StateBlock state blocks} by their format code, the
   * unsigned first byte of a block. An empty block then reads all the bytes.
   */
  Map<Integer, Supplier<StateBlock>> formats();

  /**
   * Returns when the effects of a compiled policy can be expected to be certified; null if the
   * family has no forecast for it.
   */
  default @Nullable CertificateForecast forecast(
      Policy policy, CertificateForecast.Expected expected) {
    return null;
  }

  /** Returns why a compiled policy has no {@link #forecast}; null where nothing else is known. */
  default @Nullable String whyNoForecast(Policy policy) {
    return null;
  }

  /** Reports what the models of a compiled policy assume of rewards; tests follow from it. */
  default void assumptions(Policy policy, AssumptionFindings findings) {
    String name = policy.spec().policy().name().wire();
    findings.untested("graph and reward model", "policy " + name + " has no tests");
  }

  /** Reports what the verb {@code check} shows of a compiled spec. */
  void check(Policy policy, CheckFindings findings);
}
