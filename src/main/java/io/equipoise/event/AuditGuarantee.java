package io.equipoise.event;

/** Names the guarantee of an interval. {@code docs/reference/reasons.md} is generated from it. */
public enum AuditGuarantee {
  ANYTIME(
      "All intervals of a segment hold at all times at once, with probability 1 - delta, if the model holds."),
  APPROXIMATE(
      "The coverage is measured, or proved for a model that gives several arms one effect of an attribute."),
  PER_ROUND("A paper's confidence, which holds for each round by itself."),
  NONE("No interval. Nothing is certified.");

  private final String meaning;

  AuditGuarantee(String meaning) {
    this.meaning = meaning;
  }

  /** Returns what it means, for people. */
  public String meaning() {
    return meaning;
  }
}
