package io.equipoise.audit.verify;

/** What must be true of a committed log, whatever was killed while it was written. */
public enum Invariant {
  /** Judged of contexts, decisions, and how long ids must be remembered. */
  I1("every accepted context has exactly one committed decision"),

  /** Judged of rewards, segment events and dead letters. */
  I2("every accepted reward is applied exactly once"),

  /**
   * Judged of all that a decision says of its choice, of the fairness records (of each that the
   * replay writes exactly one, equal in every field), and of snapshots: of their digests, and of
   * what they say besides the ledgers.
   */
  I3("the log replayed gives the same arms, fairness records and snapshots, bit for bit"),

  /** Judged of decisions and segment events. */
  I4("seq is gapless over decisions and segment events, and increasing in each"),

  /** Judged of the digests of snapshots, and of all that decisions say of their choice. */
  I5("a segment replayed alone gives the same digests"),

  /** Judged of the ledgers of snapshots. */
  I6("the three ledgers balance"),

  /**
   * Judged of inputs, specs and causal bounds, and dead letters; of the fault that a letter names,
   * what follows from bytes and specs alone.
   */
  I7("every bad input is in the dead letter once, with its bytes and its origin"),

  /** Judged of when contexts and the decisions on them were appended. */
  I8("a context sent after a fault is answered within the recovery budget"),

  /** Judged of all outputs, by what a reader wrote down. */
  I9("what a concurrent reader saw was not withdrawn, doubled or reordered");

  private final String sentence;

  Invariant(String sentence) {
    this.sentence = sentence;
  }

  /** Returns the invariant as a sentence. */
  public String sentence() {
    return sentence;
  }
}
