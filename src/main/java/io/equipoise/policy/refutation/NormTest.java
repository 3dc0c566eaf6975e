package io.equipoise.policy.refutation;

import io.equipoise.event.AssumptionKind;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Policy;
import java.util.List;

/**
 * Tests that the coefficients of a model are at most as large as {@code theta-norm} says. The model
 * itself has the evidence; all of its arms count together.
 */
final class NormTest extends AssumptionTest {
  private final Policy policy;
  private final double norm;

  NormTest(String name, Policy policy, double norm) {
    super(AssumptionKind.NORM, name, new TestStrata(List.of()), 1);
    this.policy = policy;
    this.norm = norm;
  }

  @Override
  void observe(
      EProcess eProcess, ModelState modelState, Experience experience, double logOneOverShare) {
    eProcess.observations++;
    eProcess.logTotal = policy.logEvidenceAgainstNorm(modelState, experience);
    eProcess.numbers[0] = eProcess.logTotal;
    if (eProcess.logTotal >= logOneOverShare) {
      eProcess.refute(ALL);
    }
  }

  @Override
  boolean add(double[] numbers, int at, Experience experience) {
    throw new UnsupportedOperationException("the model has the evidence");
  }

  @Override
  void describe(StringBuilder text) {
    text.append(' ').append(Long.toHexString(Double.doubleToLongBits(norm)));
  }

  @Override
  String remedy() {
    return "raise policy.theta-norm, or scale the numbers of policy.features to the size of 1";
  }
}
