package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes the audits of a segment's decisions. {@code avro/SegmentMetrics.avsc} documents the
 * meaning and unit of every component.
 */
public record FairnessSummary(
    VerdictCounts verdicts,
    long fallbacks,
    long violations,
    @Nullable CumulativeViolation cumulativeViolation,
    double noOverlapShare,
    boolean overlapAlarm,
    List<ArmCertificate> certificates) {

  public FairnessSummary {
    certificates = List.copyOf(certificates);
  }

  /** Returns a copy without the sums of effects beyond the threshold. */
  public FairnessSummary withoutSums() {
    return new FairnessSummary(
        verdicts, fallbacks, violations, null, noOverlapShare, overlapAlarm, certificates);
  }
}
