package io.equipoise.segmentspec;

/** Which confidence sequence stands behind the certificate of fairness. */
public enum ConfidenceKind {
  /** Valid at all times for rewards of the declared sub-Gaussian scale. */
  SUB_GAUSSIAN("sub-gaussian"),
  /** Valid at all times for rewards inside the range, narrower where they vary little. */
  EMPIRICAL_BERNSTEIN("empirical-bernstein"),
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
