package io.equipoise.lab.csr;

import io.equipoise.policy.bestarm.Mode;
import java.util.List;

/** What the command can repeat, by the paper's figure. */
enum CsrFigure {
  /** No, loose and tight constraints on the synthetic model. */
  FIGURE_3("3"),
  /** The HEPAR-II network. */
  FIGURE_5("5"),
  /** High and low divergences of reward and fairness. */
  FIGURE_6("6"),
  /** Theorem 2: no arm is fair, and the right answer is to say so. */
  NO_FAIR("nofair");

  /** Those for which there are reference results. */
  static final List<Mode> MODES = List.of(Mode.SEPARATE, Mode.NATURAL);

  private final String option;

  CsrFigure(String option) {
    this.option = option;
  }

  List<String> instances() {
    return switch (this) {
      case FIGURE_3 -> List.of("none", "loose", "tight");
      case FIGURE_5 -> List.of("hepar2");
      case FIGURE_6 -> List.of("hh", "lh", "hl");
      case NO_FAIR -> List.of("nofair");
    };
  }

  @Override
  public String toString() {
    return option;
  }
}
