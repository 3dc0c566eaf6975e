package io.equipoise.bandit.refutation;

import io.equipoise.bandit.Bandit;
import io.equipoise.bandit.Blocks;
import io.equipoise.bandit.Experience;
import java.util.List;

/**
 * Tests that the coefficients of a model are at most as large as {@code theta-norm} says. The model
 * itself has the evidence; all of its arms count together.
 */
final class NormTest extends AssumptionTest {
  private final Bandit bandit;
  private final double norm;

  NormTest(String name, Bandit bandit, double norm) {
    super(AssumptionKind.NORM, name, new Strata(List.of()), 1);
    this.bandit = bandit;
    this.norm = norm;
  }

  @Override
  void observe(Evidence evidence, Blocks blocks, Experience experience, double logOneOverShare) {
    evidence.observations++;
    evidence.logTotal = bandit.logEvidenceAgainstNorm(blocks, experience);
    evidence.numbers[0] = evidence.logTotal;
    if (evidence.logTotal >= logOneOverShare) {
      evidence.refute(ALL);
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
