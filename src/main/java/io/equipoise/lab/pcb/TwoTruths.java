package io.equipoise.lab.pcb;

/** Why there are two columns that are called the truth. */
final class TwoTruths {
  /** What every report of these experiments says of it. */
  static final String SENTENCE =
      "truth is E[Y | do(x), u] of the model, printed what the paper's column Truth turns out to"
          + " be: P(y | x1, x2) of unselected rows, which does not move with u1, while the effect"
          + " does by 1/6";

  private TwoTruths() {}
}
