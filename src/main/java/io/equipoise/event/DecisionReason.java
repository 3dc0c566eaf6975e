package io.equipoise.event;

/**
 * Explains why an arm, or none, was chosen. {@code docs/reference/reasons.md} is generated from it.
 */
public enum DecisionReason {
  EXPLORE("The rule of the policy, or `explore`, played the arm in order to learn."),
  EXPLOIT("The arm has the best value of the policy's rule."),
  FALLBACK(
      "No arm met the constraint. The policy played an arm that the spec names for that"
          + " (`policy.safe`). This is not the arm of `join.fallback`."),
  UNCERTIFIED(
      "No arm met the constraint. The policy played an arm of its own choice, without a"
          + " certificate: by default the one whose effect has the smallest upper end."),
  FORCED_EXPLORATION(
      "An arm with too few rewards was tried: by `policy.explore` (`certify`, `balanced` or"
          + " `earn`), by the policy `forced-exploration`, or by an allocation in which it lags"
          + " behind."),
  SAMPLE("A best-arm experiment took a sample of the arm."),
  NOT_SAMPLED("A best-arm experiment pauses. Nothing is learned."),
  RECOMMENDED("A best-arm experiment has ended and serves its recommendation."),
  REJECTED(
      "The context was invalid. The arm is that of `join.fallback`, or none if no spec covers the"
          + " segment. `errorCode` and the dead letter say why."),
  DEADLINE_EXCEEDED(
      "The context arrived after its `deadline`. The arm is that of `join.fallback`."),
  REPEATED("The decision id was decided before. The arm is the one given then.");

  private final String meaning;

  DecisionReason(String meaning) {
    this.meaning = meaning;
  }

  /** Returns what it means, for people. */
  public String meaning() {
    return meaning;
  }

  /** Returns whether a policy chose the arm; false for rejected and repeated contexts. */
  public boolean isChoice() {
    return this != REJECTED && this != DEADLINE_EXCEEDED && this != REPEATED;
  }

  /** Returns whether no candidate met the constraint. */
  public boolean isWithoutCertificate() {
    return this == FALLBACK || this == UNCERTIFIED;
  }

  /** Returns whether the decision awaits a reward, because something learns from it. */
  public boolean isLearned() {
    return isChoice() && this != NOT_SAMPLED && this != RECOMMENDED;
  }
}
