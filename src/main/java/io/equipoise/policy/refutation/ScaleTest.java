package io.equipoise.policy.refutation;

import io.equipoise.event.AssumptionKind;
import io.equipoise.evidence.LogMeanExp;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelState;

/**
 * Tests that rewards are sub-Gaussian with the declared scale s given their cell.
 *
 * <p>If they are, exp(u (r - mean)^2 / (2 s^2)) has an expectation of at most (1 - u)^(-1/2) for
 * every u in [0, 1). The squares around the sample means of the cells, added up to Q over n
 * rewards, are at most those around the true means, so
 *
 * <pre>E = average over u of exp(u Q / (2 s^2)) (1 - u)^(n/2)
 * </pre>
 *
 * <p>is an e-process (docs/math/refutation.md#scale). All cells count together: a stratum keeps
 * only n, mean and squares.
 */
final class ScaleTest extends AssumptionTest {
  private static final double[] BETS = {0.02, 0.1, 0.3, 0.6, 0.9};
  private static final int WIDTH = 3;

  private final double scale;
  private final double[] logs = new double[BETS.length];

  ScaleTest(String name, TestStrata cells, double scale) {
    super(AssumptionKind.SCALE, name, cells, WIDTH);
    this.scale = scale;
    for (int bet = 0; bet < BETS.length; bet++) {
      logs[bet] = StrictMath.log(1 - BETS[bet]) / 2;
    }
  }

  /** One more for the squares of all cells; the observations are counted anyway. */
  @Override
  double numbers() {
    return super.numbers() + 1;
  }

  @Override
  void observe(
      EProcess eProcess, ModelState modelState, Experience experience, double logOneOverShare) {
    int cell = testStrata.of(experience);
    if (cell < 0) {
      return;
    }
    double[] numbers = eProcess.numbers;
    double before = numbers[cell * WIDTH + 2];
    add(numbers, cell * WIDTH, experience);
    numbers[numbers.length - 1] += numbers[cell * WIDTH + 2] - before;
    eProcess.observations++;
    eProcess.logTotal = logE(numbers[numbers.length - 1], (double) eProcess.observations);
    if (eProcess.logTotal >= logOneOverShare) {
      eProcess.refute(ALL);
    }
  }

  @Override
  double logThreshold(int stratum, double logOneOverShare) {
    return logOneOverShare;
  }

  /** Adds to a cell's count, mean and squares (Welford 1962). */
  @Override
  boolean add(double[] numbers, int at, Experience experience) {
    numbers[at]++;
    double apart = experience.reward() - numbers[at + 1];
    numbers[at + 1] += apart / numbers[at];
    numbers[at + 2] += apart * (experience.reward() - numbers[at + 1]);
    return true;
  }

  private double logE(double squares, double n) {
    double[] each = new double[BETS.length];
    for (int bet = 0; bet < BETS.length; bet++) {
      each[bet] = BETS[bet] * squares / (2 * scale * scale) + n * logs[bet];
    }
    return LogMeanExp.of(each);
  }

  @Override
  void describe(StringBuilder text) {
    text.append(' ').append(Long.toHexString(Double.doubleToLongBits(scale)));
  }

  @Override
  String remedy() {
    return "raise fairness.scale above the spread of rewards within a cell";
  }
}
