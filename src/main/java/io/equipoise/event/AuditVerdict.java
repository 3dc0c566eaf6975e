package io.equipoise.event;

/**
 * Names the relation between the interval of an effect and the threshold. The order is part of the
 * layout of the audit sums: append only. {@code docs/reference/reasons.md} is generated from it.
 */
public enum AuditVerdict {
  CERTIFIED_FAIR(
      "max(\\|`lower`\\|, \\|`upper`\\|) <= tau",
      "Fair by at most tau, with the strength of `guarantee`."),
  UNFAIR("`lower` > tau or `upper` < -tau", "Unfair, with the strength of `guarantee`."),
  NO_OVERLAP(
      "undecided, and at least half of the interval comes from no data",
      "More traffic decides it only if it has people to compare with. Ridge and logistic models check"
          + " this before the two verdicts above, because their interval then rests on an assumed"
          + " norm."),
  FAIR(
      "undecided, and \\|`estimate`\\| <= tau",
      "A statement about the estimate. It is never a certificate."),
  UNCERTAIN("undecided, and \\|`estimate`\\| > tau", "More rewards may decide it."),
  NOT_IDENTIFIED(
      "the person leaves out a number, or too many variables, on which the effect depends",
      "No data can decide.");

  private final String condition;
  private final String meaning;

  AuditVerdict(String condition, String meaning) {
    this.condition = condition;
    this.meaning = meaning;
  }

  /** Returns when it is given, in Markdown. */
  public String condition() {
    return condition;
  }

  /** Returns what it means, for people. */
  public String meaning() {
    return meaning;
  }
}
