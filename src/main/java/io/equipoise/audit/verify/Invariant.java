package io.equipoise.audit.verify;

/** Names the properties of every committed log, even if processes failed while it was written. */
public enum Invariant {
  /** Compares contexts with decisions, and remembered ids. */
  I1("every accepted context has exactly one committed decision"),

  /** Compares rewards with segment events and dead letters. */
  I2("every accepted reward is applied exactly once"),

  /**
   * Compares decisions, fairness records (each must exist exactly once, with equal fields) and
   * snapshots (digests and all fields except the ledgers) with a replay.
   */
  I3("a replay of the log gives the same arms, fairness records and snapshots, bit for bit"),

  /** Checks that no change of a segment is missing, repeated or out of order. */
  I4("seq is gapless over decisions and segment events, and increasing in each"),

  /** Compares snapshot digests and decisions with a replay of the segment alone. */
  I5("a replay of a segment alone gives the same digests"),

  /** Compares the ledgers of snapshots with the log. */
  I6("the three ledgers balance"),

  /**
   * Compares inputs, specs and causal bounds with dead letters. The error code is checked if it
   * follows from bytes and specs alone.
   */
  I7("every invalid input has one dead letter, with its bytes and its origin"),

  /** Compares append times of contexts and their decisions. */
  I8("a context sent after a fault gets a decision within the recovery budget"),

  /** Compares all outputs with the file that a reader wrote. */
  I9("what a concurrent reader saw was not withdrawn, doubled or reordered");

  private final String sentence;

  Invariant(String sentence) {
    this.sentence = sentence;
  }

  public String sentence() {
    return sentence;
  }
}
