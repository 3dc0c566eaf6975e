package io.equipoise.segmentspec;

/** Which confidence sequence stands behind the certificate of fairness. */
public enum ConfidenceKind implements Word {
  /** Valid at all times for rewards of the declared sub-Gaussian scale. */
  SUB_GAUSSIAN,
  /** Valid at all times for rewards inside the range, narrower where they vary little. */
  EMPIRICAL_BERNSTEIN,
  /** The bonus of the paper with delta = 1/t^2. For replication; its records say {@code PAPER}. */
  PAPER
}
