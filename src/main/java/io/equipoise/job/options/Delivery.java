package io.equipoise.job.options;

/** Names the guarantee for readers of {@code decisions}. Options use its kebab-case name. */
public enum Delivery {
  /** Every decision is on the topic once, for readers of committed records. */
  EXACTLY_ONCE("exactly-once"),

  /**
   * Publishes without waiting for a checkpoint. The first valid record of a decision counts;
   * further records repeat the same arm.
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
