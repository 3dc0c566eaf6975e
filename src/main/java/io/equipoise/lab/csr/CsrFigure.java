package io.equipoise.lab.csr;

import io.equipoise.bandit.csr.Mode;
import java.util.List;

/** What the command can repeat, by the paper's figure. */
enum CsrFigure {
  /** No, loose and tight constraints on the synthetic model. */
  FIGURE_3("3", List.of("none", "loose", "tight")),
  /** The HEPAR-II network. */
  FIGURE_5("5", List.of("hepar2")),
  /** High and low divergences of reward and fairness. */
  FIGURE_6("6", List.of("hh", "lh", "hl")),
  /** Theorem 2: no arm is fair, and the right answer is to say so. */
  NO_FAIR("nofair", List.of("nofair"));

  /** Those for which there are reference results. */
  static final List<Mode> MODES = List.of(Mode.SEPARATE, Mode.NATURAL);

  private final String option;
  private final List<String> instances;

  CsrFigure(String option, List<String> instances) {
    this.option = option;
    this.instances = instances;
  }

  List<String> instances() {
    return instances;
  }

  @Override
  public String toString() {
    return option;
  }
}
