package io.equipoise.segmentspec;

/** Which confidence sequence stands behind the certificate of fairness. */
public enum ConfidenceKind {
  /** Valid at all times for rewards inside the range; limits the cells of an effect together. */
  JOINT("joint"),
  /** Valid at all times for rewards of the declared sub-Gaussian scale. */
  SUB_GAUSSIAN("sub-gaussian"),
  /** The bonus of the paper with delta = 1/t^2. For replication; its records say {@code PAPER}. */
  PAPER("paper");

  private final String wire;

  ConfidenceKind(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
