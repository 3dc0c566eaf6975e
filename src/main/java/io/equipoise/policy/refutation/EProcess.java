package io.equipoise.policy.refutation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one test has counted, part of an {@link EvidenceBlock}. Mutable.
 *
 * <p>The id is a hash of the assumption: where a new spec assumes something else, the id differs
 * and the evidence is dropped.
 */
final class EProcess {
  /** What became of the assumption so far. The order is part of the layout: append only. */
  enum State {
    OPEN,
    /** Refuted by the reward that was just learned; not yet in the log. */
    CROSSED,
    /** Refuted, and logged as such. */
    REFUTED
  }

  final long id;
  State state = State.OPEN;
  int stratum = AssumptionTest.ALL;
  long observations;
  double logTotal;

  /** The seq before the first one of a decision that may rest on the assumption. */
  long since;

  final double[] numbers;

  EProcess(long id, int numbers) {
    this(id, new double[numbers]);
  }

  EProcess(long id, double[] numbers) {
    this.id = id;
    this.numbers = numbers;
  }

  void refute(int by) {
    state = State.CROSSED;
    stratum = by;
  }

  EProcess copy() {
    EProcess copy = new EProcess(id, numbers.clone());
    copy.state = state;
    copy.stratum = stratum;
    copy.observations = observations;
    copy.logTotal = logTotal;
    copy.since = since;
    return copy;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EProcess that
        && id == that.id
        && state == that.state
        && stratum == that.stratum
        && observations == that.observations
        && since == that.since
        && Double.compare(logTotal, that.logTotal) == 0
        && Arrays.equals(numbers, that.numbers);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(id) + Arrays.hashCode(numbers);
  }
}
