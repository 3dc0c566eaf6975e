package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records a snapshot of one segment's counts and digests. {@code avro/SegmentMetrics.avsc}
 * documents the meaning and unit of every component; times are epoch ms.
 */
public record SegmentMetrics(
    Place place,
    long eventTime,
    Versions versions,
    String policy,
    MetricsTrigger trigger,
    long rounds,
    long previousSeq,
    ContextLedger contexts,
    DecisionLedger decisions,
    long dedupEntries,
    RewardLedger rewards,
    FairnessSummary fairness,
    GroupSummary groups,
    List<GapSplit> splits,
    ArmShares arms,
    AssumptionSummary assumptions,
    @Nullable Digests digests,
    @Nullable Redaction redaction)
    implements PlacedOutput {

  public SegmentMetrics {
    splits = List.copyOf(splits);
  }

  /** Returns a copy with other groups. */
  public SegmentMetrics with(GroupSummary groups) {
    return with(contexts, fairness, groups, splits, digests, redaction);
  }

  /** Returns a copy with other splits. */
  public SegmentMetrics withSplits(List<GapSplit> splits) {
    return with(contexts, fairness, groups, splits, digests, redaction);
  }

  /** Returns a copy with other values of what redaction hides. */
  public SegmentMetrics with(
      ContextLedger contexts,
      FairnessSummary fairness,
      @Nullable Digests digests,
      @Nullable Redaction redaction) {
    return with(contexts, fairness, groups, splits, digests, redaction);
  }

  private SegmentMetrics with(
      ContextLedger contexts,
      FairnessSummary fairness,
      GroupSummary groups,
      List<GapSplit> splits,
      @Nullable Digests digests,
      @Nullable Redaction redaction) {
    return new SegmentMetrics(
        place,
        eventTime,
        versions,
        policy,
        trigger,
        rounds,
        previousSeq,
        contexts,
        decisions,
        dedupEntries,
        rewards,
        fairness,
        groups,
        splits,
        arms,
        assumptions,
        digests,
        redaction);
  }
}
