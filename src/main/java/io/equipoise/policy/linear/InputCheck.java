package io.equipoise.policy.linear;

/** States whether features or a reward were accepted; a rejected input changes nothing. */
public enum InputCheck {
  ADMITTED("taken"),
  WRONG_DIMENSION("the number of features is not that of the model; send all of them"),
  NOT_FINITE("a feature or the reward is NaN or infinite; send finite numbers"),
  /** Computing with it would lose the digits of everything learned so far. */
  TOO_LARGE("a feature or the reward is too large; scale features to about [0, 1]"),
  /** As TOO_LARGE, but by the sum over all observations. */
  SATURATED("the observations of this arm outweigh the ridge beyond double precision; scale them");

  private final String meaning;

  InputCheck(String meaning) {
    this.meaning = meaning;
  }

  /** Returns what is wrong and what to do, for people. */
  public String meaning() {
    return meaning;
  }
}
