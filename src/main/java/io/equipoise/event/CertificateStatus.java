package io.equipoise.event;

/** Names what is known of an arm's effects of one attribute. */
public enum CertificateStatus {
  /** All effects are at most tau: the arm is certified. */
  FAIR,
  /** Some effect exceeds tau. */
  UNFAIR,
  /** Neither is known. */
  OPEN
}
