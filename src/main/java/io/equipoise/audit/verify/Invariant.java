package io.equipoise.audit.verify;

/** What must be true of a committed log, whatever was killed while it was written. */
public enum Invariant {
  I1("every accepted context has exactly one committed decision"),
  I2("every accepted reward is applied exactly once"),
  I3("the log replayed gives the same arms and the same digests, bit for bit"),
  I4("seq is gapless over decisions and outcomes, and increasing in each"),
  I5("a segment replayed alone gives the same digests"),
  I6("the three ledgers balance"),
  I7("every bad input is in the dead letter once, with its bytes and its origin"),
  I8("the first decision after a fault comes within the recovery budget"),
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
