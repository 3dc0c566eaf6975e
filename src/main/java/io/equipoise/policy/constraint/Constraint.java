package io.equipoise.policy.constraint;

import io.equipoise.segmentspec.Word;

/** Names how effects restrict the choice. */
public enum Constraint implements Word {
  /** They do not. */
  NONE,
  /** Only arms whose effects are certified to be within tau. */
  HARD,
  /** A price on effects beyond tau. */
  DUAL,
  /** A price on effects whose upper end is beyond tau. */
  DUAL_UPPER,
  /** Only arms whose effects may be fair and exceed tau by at most a slack that shrinks. */
  SCREEN;

  /** Returns whether it moves a dual variable by how far effects are from tau. */
  public boolean isPrice() {
    return this == DUAL || this == DUAL_UPPER;
  }

  /** Returns whether it leaves arms out. */
  public boolean isSelective() {
    return this == HARD || this == SCREEN;
  }
}
