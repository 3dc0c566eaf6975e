package io.equipoise.segmentspec;

/** Names the confidence behind the certificates of fairness of policies over cells. */
public enum ConfidenceKind implements Word {
  /** Valid at all times for rewards inside the range; limits the cells of an effect together. */
  JOINT,
  /** Valid at all times for rewards of the declared sub-Gaussian scale. */
  SUB_GAUSSIAN,
  /** The bonus of the paper with delta = 1/t^2. For replication; its records say {@code PAPER}. */
  PAPER
}
