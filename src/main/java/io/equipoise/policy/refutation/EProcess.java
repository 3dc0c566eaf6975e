package io.equipoise.policy.refutation;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;

/**
 * Keeps what one test has counted, part of an {@link EvidenceBlock}. Mutable.
 *
 * <p>The id is a hash of the assumption: where a new spec assumes something else, the id differs
 * and the evidence is dropped.
 */
@SuppressWarnings("EnumOrdinal") // the order of states is part of the layout
final class EProcess extends Stored {
  /** Names the state of the assumption so far. The order is part of the layout: append only. */
  enum State {
    OPEN,
    /** Refuted by the reward that was just learned; not yet in the log. */
    CROSSED,
    /** Refuted, and logged as such. */
    REFUTED
  }

  private static final State[] STATES = State.values();

  long id;
  State state = State.OPEN;
  int stratum = AssumptionTest.ALL;
  long observations;
  double logTotal;

  /** The seq before the first one of a decision that may rest on the assumption. */
  long since;

  double[] numbers;

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
  protected void layout(Layout bytes) throws LayoutException {
    id = bytes.i64(id);
    int code = bytes.i8(state.ordinal());
    bytes.check(code >= 0 && code < STATES.length, "a test in state", code);
    state = STATES[code];
    stratum = bytes.i32(stratum);
    observations = bytes.i64(observations);
    logTotal = bytes.f64(logTotal);
    since = bytes.i64(since);
    numbers = bytes.room(numbers, bytes.count(numbers.length, Double.BYTES));
    bytes.f64s(numbers);
  }
}
