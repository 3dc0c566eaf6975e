package io.equipoise.segmentspec;

/** What becomes of verdicts once the rewards observed have refuted an assumption of the spec. */
public enum OnRefuted implements Word {
  /** CERTIFIED_FAIR and UNFAIR become UNCERTAIN. */
  WITHHOLD,
  /** They stay; every record says that the refutation was ignored. */
  IGNORE
}
