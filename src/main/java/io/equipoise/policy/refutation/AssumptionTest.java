package io.equipoise.policy.refutation;

import io.equipoise.event.AssumptionKind;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelState;
import java.util.Map;

/**
 * Tests one assumption by an e-process. Immutable; what was observed is in {@link Evidence}.
 *
 * <p>Observations fall into strata: rows of a table, cells of W. Each stratum has an e-process of
 * its own, and the product over all strata is one too, since every factor has an expectation of at
 * most 1 given all that was observed before (docs/math/refutation.md#the-error-of-all-tests). The
 * test splits its share in two halves: the product rejects at one half, and the strata at equal
 * parts of the other.
 */
abstract class AssumptionTest {
  /** Stands for all strata together. */
  static final int ALL = -1;

  private static final double LOG_2 = StrictMath.log(2);

  final AssumptionKind kind;
  final String name;
  final TestStrata testStrata;
  private final int width;
  private final double strata;

  /** Adds to ln(1 / share) the log evidence that a rejection needs beyond it in one stratum. */
  private final double ofOne;

  private final double ofAll;

  /**
   * Prepares a test.
   *
   * @param name what is assumed, for people, without levels
   * @param width how many numbers a stratum keeps; the first is the logarithm of its e-value
   */
  AssumptionTest(AssumptionKind kind, String name, TestStrata testStrata, int width) {
    this.kind = kind;
    this.name = name;
    this.testStrata = testStrata;
    this.width = width;
    strata = testStrata.count();
    ofAll = strata == 1 ? 0 : LOG_2;
    ofOne = strata == 1 ? 0 : LOG_2 + StrictMath.log(strata);
  }

  /** Returns how many numbers the evidence has; may be beyond every array. */
  double numbers() {
    return strata * width;
  }

  /** Returns whether the test errs with a part of the probability that all tests share. */
  boolean sharesDelta() {
    return true;
  }

  /** Adds what else than kind, name and variables says what is assumed. */
  abstract void describe(StringBuilder text);

  /** Returns what a person can do about a refutation. */
  abstract String remedy();

  /**
   * Adds an observation to the numbers of its stratum.
   *
   * @param at place of the stratum's numbers
   * @return false if the observation does not count; nothing has changed
   */
  abstract boolean add(double[] numbers, int at, Experience experience);

  /**
   * Adds an observation if all of its variables are known, and rejects if the evidence does.
   *
   * @param modelState of the model, which has learned the reward
   */
  void observe(
      EProcess eProcess, ModelState modelState, Experience experience, double logOneOverShare) {
    int stratum = testStrata.of(experience);
    if (stratum < 0) {
      return;
    }
    int at = stratum * width;
    double before = eProcess.numbers[at];
    if (!add(eProcess.numbers, at, experience)) {
      return;
    }
    eProcess.observations++;
    eProcess.logTotal += eProcess.numbers[at] - before;
    if (eProcess.logTotal >= logThreshold(ALL, logOneOverShare)) {
      eProcess.refute(ALL);
    } else if (eProcess.numbers[at] >= logThreshold(stratum, logOneOverShare)) {
      eProcess.refute(stratum);
    }
  }

  /** Returns the logarithm of the e-value at which a stratum, or all together, reject. */
  double logThreshold(int stratum, double logOneOverShare) {
    return logOneOverShare + (stratum == ALL ? ofAll : ofOne);
  }

  /** Returns what refuted the assumption. */
  RefutedAssumption refutation(EProcess eProcess, double logOneOverShare) {
    int stratum = eProcess.stratum;
    boolean isOne = stratum != ALL;
    Map<String, String> cell = isOne ? testStrata.named(stratum) : Map.of();
    return new RefutedAssumption(
        kind,
        name,
        cell,
        isOne ? eProcess.numbers[stratum * width] : eProcess.logTotal,
        logThreshold(stratum, logOneOverShare),
        eProcess.observations,
        remedy(),
        eProcess.since);
  }
}
