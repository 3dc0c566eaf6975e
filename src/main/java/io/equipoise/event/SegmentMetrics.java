package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of one segment's counts and digests. Meaning and unit of every component are
 * documented in {@code avro/SegmentMetrics.avsc}; times are epoch milliseconds. Lists are copied.
 */
public record SegmentMetrics(
    String segment,
    int shard,
    int attempt,
    long seq,
    String policy,
    @Nullable String specHash,
    @Nullable Long specNumber,
    @Nullable String modelFingerprint,
    long eventTime,
    MetricsTrigger trigger,
    long rounds,
    ContextLedger contexts,
    DecisionLedger decisions,
    RewardLedger rewards,
    VerdictCounts verdicts,
    long fallbacks,
    long violations,
    double cumulativeViolation,
    List<GroupMean> groups,
    @Nullable Double groupDifference,
    List<ArmShare> arms,
    String digest,
    String pendingDigest,
    long judged,
    double cumulativeUpperViolation,
    double cumulativeSignedViolation,
    double uncoveredShare,
    boolean coverageAlarm) {

  public SegmentMetrics {
    groups = List.copyOf(groups);
    arms = List.copyOf(arms);
  }
}
