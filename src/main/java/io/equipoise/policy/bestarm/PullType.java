package io.equipoise.policy.bestarm;

/** Names what a pull is for; each has a number in allocations, quotas, states and golden traces. */
public enum PullType {
  /** The natural mix of S. */
  NATURAL(0),
  /** S = s. */
  OF_S(1),
  /** S = s'. */
  OF_S_PRIME(2);

  /** How many there are. */
  static final int COUNT = 3;

  private final int number;

  PullType(int number) {
    this.number = number;
  }

  /** Returns its number, from 0. It never changes. */
  public int number() {
    return number;
  }
}
