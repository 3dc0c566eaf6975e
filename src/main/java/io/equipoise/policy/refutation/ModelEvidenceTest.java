package io.equipoise.policy.refutation;

import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelEvidence;
import io.equipoise.policy.ModelState;
import java.util.List;

/** Compares evidence that the model itself collects with a threshold; all arms count together. */
final class ModelEvidenceTest extends AssumptionTest {
  private final ModelEvidence evidence;

  ModelEvidenceTest(ModelEvidence evidence) {
    super(evidence.kind(), evidence.name(), new TestStrata(List.of()), 1);
    this.evidence = evidence;
  }

  @Override
  boolean sharesDelta() {
    return evidence.logThreshold() == null;
  }

  @Override
  void observe(
      EProcess eProcess, ModelState modelState, Experience experience, double logOneOverShare) {
    eProcess.observations++;
    double log = evidence.statistic().logEvidence(modelState, experience);
    if (Double.isNaN(log)) {
      return;
    }
    eProcess.logTotal = log;
    eProcess.numbers[0] = log;
    if (eProcess.logTotal >= logThreshold(ALL, logOneOverShare)) {
      eProcess.refute(ALL);
    }
  }

  @Override
  double logThreshold(int stratum, double logOneOverShare) {
    Double own = evidence.logThreshold();
    return own == null ? logOneOverShare : own;
  }

  @Override
  boolean add(double[] numbers, int at, Experience experience) {
    throw new UnsupportedOperationException("the model has the evidence");
  }

  @Override
  void describe(StringBuilder text) {
    text.append(' ').append(Long.toHexString(evidence.meaning()));
  }

  @Override
  String remedy() {
    return evidence.remedy();
  }
}
