package io.equipoise.bandit.refutation;

import io.equipoise.bandit.Blocks;
import io.equipoise.bandit.Experience;
import java.util.Map;

/**
 * One assumption and the e-process that tests it. Immutable; what was observed is in {@link
 * Evidence}.
 *
 * <p>Observations fall into strata: rows of a table, cells of W. Each stratum has an e-process of
 * its own, and the product over all strata is one too, since every factor has an expectation of at
 * most 1 given all that was observed before. The test splits its share in two halves: the product
 * rejects at one half, and the strata at equal parts of the other.
 */
abstract class AssumptionTest {
  /** Stands for all strata together. */
  static final int ALL = -1;

  private static final double LOG_2 = StrictMath.log(2);

  private final AssumptionKind kind;
  private final String name;
  private final Strata strata;
  private final int width;

  /**
   * Prepares a test.
   *
   * @param name what is assumed, for people, without levels
   * @param width how many numbers a stratum keeps; the first is the logarithm of its e-value
   */
  AssumptionTest(AssumptionKind kind, String name, Strata strata, int width) {
    this.kind = kind;
    this.name = name;
    this.strata = strata;
    this.width = width;
  }

  final AssumptionKind kind() {
    return kind;
  }

  final String name() {
    return name;
  }

  final Strata strata() {
    return strata;
  }

  /** Returns how many numbers the evidence has; may be beyond every array. */
  double numbers() {
    return strata.count() * width;
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
   * @param blocks of the model, which has learned the reward
   */
  void observe(Evidence evidence, Blocks blocks, Experience experience, double logOneOverShare) {
    int stratum = strata.of(experience);
    if (stratum < 0) {
      return;
    }
    int at = stratum * width;
    double before = evidence.numbers[at];
    if (!add(evidence.numbers, at, experience)) {
      return;
    }
    evidence.observations++;
    evidence.logTotal += evidence.numbers[at] - before;
    if (evidence.logTotal >= logThreshold(ALL, logOneOverShare)) {
      evidence.refute(ALL);
    } else if (evidence.numbers[at] >= logThreshold(stratum, logOneOverShare)) {
      evidence.refute(stratum);
    }
  }

  /** Returns the logarithm of the e-value at which a stratum, or all together, reject. */
  double logThreshold(int stratum, double logOneOverShare) {
    double count = strata.count();
    if (count == 1) {
      return logOneOverShare;
    }
    return logOneOverShare + LOG_2 + (stratum == ALL ? 0 : StrictMath.log(count));
  }

  /** Returns what refuted the assumption. */
  RefutedAssumption refutation(Evidence evidence, double logOneOverShare) {
    int stratum = evidence.stratum;
    boolean isOne = stratum != ALL;
    Map<String, String> cell = isOne ? strata.named(stratum) : Map.of();
    return new RefutedAssumption(
        kind,
        name,
        cell,
        isOne ? evidence.numbers[stratum * width] : evidence.logTotal,
        logThreshold(stratum, logOneOverShare),
        evidence.observations,
        remedy());
  }
}
