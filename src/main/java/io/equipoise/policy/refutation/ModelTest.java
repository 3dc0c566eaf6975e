package io.equipoise.policy.refutation;

import io.equipoise.event.AssumptionKind;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.linear.LinearPolicy;
import java.util.List;

/**
 * Tests that one vector of coefficients explains all rewards of a linear model: if it does, the
 * intervals of an effect at all times have a point in common, with probability 1 - delta. The model
 * itself keeps the intervals, which move at decisions, so the next reward after an empty
 * intersection reports it. It has the delta of the certificates and takes no part of the other
 * tests'.
 */
final class ModelTest extends AssumptionTest {
  private final LinearPolicy policy;
  private final double logOneOverDelta;

  ModelTest(String name, LinearPolicy policy, double delta) {
    super(AssumptionKind.MODEL, name, new TestStrata(List.of()), 1);
    this.policy = policy;
    logOneOverDelta = -StrictMath.log(delta);
  }

  @Override
  boolean sharesDelta() {
    return false;
  }

  @Override
  void observe(
      EProcess eProcess, ModelState modelState, Experience experience, double logOneOverShare) {
    eProcess.observations++;
    if (policy.isModelRefuted(modelState, experience)) {
      eProcess.logTotal = logOneOverDelta;
      eProcess.numbers[0] = logOneOverDelta;
      eProcess.refute(ALL);
    }
  }

  @Override
  double logThreshold(int stratum, double logOneOverShare) {
    return logOneOverDelta;
  }

  @Override
  boolean add(double[] numbers, int at, Experience experience) {
    throw new UnsupportedOperationException("the model has the intervals");
  }

  @Override
  void describe(StringBuilder text) {
    text.append(' ').append(Long.toHexString(policy.meaningOfContrasts()));
  }

  @Override
  String remedy() {
    return "start the model with nothing under a new spec: rewards drifted, or arrive late"
        + " depending on what they are, or policy.features lacks what they depend on";
  }
}
