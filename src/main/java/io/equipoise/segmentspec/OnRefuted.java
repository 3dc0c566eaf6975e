package io.equipoise.segmentspec;

/**
 * Decides whether verdicts stay after the observed rewards have refuted an assumption of the spec.
 */
public enum OnRefuted implements Word {
  /** CERTIFIED_FAIR and UNFAIR become UNCERTAIN. */
  WITHHOLD,
  /** They stay; every record says that the refutation was ignored. */
  IGNORE
}
