package io.equipoise.event;

/** Names the cause of a part of the gap between two groups. */
public enum GapPartKind {
  /** The whole gap. */
  GAP,
  /** The rest of the gap after confounders and mediators before the decision are matched. */
  REST,
  /** Who comes. */
  SPURIOUS,
  /** Differences between the people, or after the decision. */
  INDIRECT,
  /** Differences between the policy's decisions. */
  POLICY,
  /** The attribute itself. */
  DIRECT
}
