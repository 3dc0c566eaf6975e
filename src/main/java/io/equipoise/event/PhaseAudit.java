package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports one closed phase of a best-arm experiment. {@code avro/ExperimentRecord.avsc} documents
 * the meaning and unit of every component.
 */
public record PhaseAudit(
    int place,
    String stage,
    int number,
    int samples,
    double epsilon,
    double effectBand,
    double rewardBand,
    double level,
    List<ShareAudit> allocation,
    PhaseCounts counts,
    double costSpent,
    List<ArmAudit> arms,
    List<String> fair,
    @Nullable String leader,
    boolean gateClosed,
    List<EliminationAudit> eliminated,
    List<String> after,
    String statsHash) {

  public PhaseAudit {
    allocation = List.copyOf(allocation);
    arms = List.copyOf(arms);
    fair = List.copyOf(fair);
    eliminated = List.copyOf(eliminated);
    after = List.copyOf(after);
  }

  /** Returns a copy with another hash of its statistics. */
  public PhaseAudit withStatsHash(String statsHash) {
    return with(allocation, counts, statsHash);
  }

  /** Returns a copy with other counts. */
  public PhaseAudit with(List<ShareAudit> allocation, PhaseCounts counts) {
    return with(allocation, counts, statsHash);
  }

  private PhaseAudit with(List<ShareAudit> allocation, PhaseCounts counts, String statsHash) {
    return new PhaseAudit(
        place,
        stage,
        number,
        samples,
        epsilon,
        effectBand,
        rewardBand,
        level,
        allocation,
        counts,
        costSpent,
        arms,
        fair,
        leader,
        gateClosed,
        eliminated,
        after,
        statsHash);
  }
}
