package io.equipoise.bandit.csr;

/** What a pull is for; its ordinal is its number in allocations, quotas and golden traces. */
public enum PullType {
  /** The natural mix of S. */
  NATURAL,
  /** S = s. */
  OF_S,
  /** S = s'. */
  OF_S_PRIME
}
