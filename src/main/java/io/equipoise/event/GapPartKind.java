package io.equipoise.event;

/** What a part of the gap between two groups is due to. */
public enum GapPartKind {
  /** The whole gap. */
  GAP,
  /** What remains once confounders and mediators before the decision are matched. */
  REST,
  /** Who comes. */
  SPURIOUS,
  /** What people bring, or what follows the decision. */
  INDIRECT,
  /** What the policy decides. */
  POLICY,
  /** The attribute itself. */
  DIRECT
}
