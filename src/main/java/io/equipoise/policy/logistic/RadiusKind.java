package io.equipoise.policy.logistic;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.segmentspec.Word;

/** Names where the squared radius b2 of the confidence set comes from. */
public enum RadiusKind implements Word {
  /** Lee, Yun and Jun 2024, Theorem 1, as Chen, Tian and Quinn 2025 use it; wide. */
  LEE24,
  /** A later form by the same authors (docs/math/logistic.md#the-radius). */
  LEE24B,
  /** Laplace approximation of the Gaussian mixture of likelihood ratios; measured, not proved. */
  LAPLACE,
  /**
   * LAPLACE with the bias of its prior, lambda S^2 / 2, as a ridge regression's radius has it
   * (Abbasi-Yadkori, Pal and Szepesvari 2011, Theorem 2): theta* may lie anywhere in the ball of
   * radius S, and without data the set must hold all of it.
   */
  BIASED_LAPLACE;

  /**
   * Returns what a verdict from an ellipsoid with this radius is worth: no more than measured, for
   * the ellipsoid stands for the loss-based set to second order only.
   */
  public AuditGuarantee guarantee() {
    return this == LAPLACE || this == BIASED_LAPLACE
        ? AuditGuarantee.APPROXIMATE
        : AuditGuarantee.PER_ROUND;
  }
}
