package io.equipoise.job.options;

/** What a reader of {@code decisions} may rely on. Written in options as its kebab name. */
public enum Delivery {
  /** Every decision is on the topic once, for readers of committed records only. */
  EXACTLY_ONCE("exactly-once"),

  /**
   * Answers without waiting for a checkpoint. The first valid record of a decision is the answer
   * for good; it may be there again, with the same arm.
   */
  AT_LEAST_ONCE("at-least-once");

  private final String option;

  Delivery(String option) {
    this.option = option;
  }

  @Override
  public String toString() {
    return option;
  }
}
