package io.equipoise.policy.tabular;

import io.equipoise.event.AuditGuarantee;
import org.jspecify.annotations.Nullable;

/** Limits the means of cells, as the basis of certificates of effects. */
sealed interface CellConfidence permits ConfidenceSequence, JointRegion {
  AuditGuarantee guarantee();

  /** Limits the cells of one block at one time; null is a block without an observation. */
  CellLimits limits(@Nullable CellBlock block, int cells, long t);
}
