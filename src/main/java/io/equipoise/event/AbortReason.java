package io.equipoise.event;

/**
 * Explains why an experiment ended without a result. {@code docs/reference/reasons.md} is generated
 * from it.
 */
public enum AbortReason {
  SPEC_RETIRED("The spec of the experiment was retired."),
  SPEC_REPLACED("The segment adopted another spec."),
  REQUESTED("A newer version of the spec requested it with `policy.abort`.");

  private final String meaning;

  AbortReason(String meaning) {
    this.meaning = meaning;
  }

  /** Returns what it means, for people. */
  public String meaning() {
    return meaning;
  }
}
