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
    boolean coverageAlarm,
    int suppressedGroups,
    @Nullable Hidden hidden,
    int armsLeftOut,
    long decisionsLeftOut,
    @Nullable String groupDifferenceOf,
    @Nullable Long previousSeq,
    List<String> assumptionsTested,
    List<String> assumptionsRefuted,
    List<String> assumptionsUntested) {

  public SegmentMetrics {
    groups = List.copyOf(groups);
    arms = List.copyOf(arms);
    assumptionsTested = List.copyOf(assumptionsTested);
    assumptionsRefuted = List.copyOf(assumptionsRefuted);
    assumptionsUntested = List.copyOf(assumptionsUntested);
  }

  /** Returns the same with fewer groups. */
  public SegmentMetrics with(
      List<GroupMean> groups, @Nullable Double groupDifference, int suppressedGroups) {
    return with(groups, groupDifference, suppressedGroups, digest, pendingDigest, hidden);
  }

  /** Returns the same with other digests. */
  public SegmentMetrics with(String digest, String pendingDigest, @Nullable Hidden hidden) {
    return with(groups, groupDifference, suppressedGroups, digest, pendingDigest, hidden);
  }

  /** Returns the same with another ledger of contexts. */
  public SegmentMetrics with(ContextLedger other) {
    return with(other, groups, groupDifference, suppressedGroups, digest, pendingDigest, hidden);
  }

  private SegmentMetrics with(
      List<GroupMean> groups,
      @Nullable Double groupDifference,
      int suppressedGroups,
      String digest,
      String pendingDigest,
      @Nullable Hidden hidden) {
    return with(contexts, groups, groupDifference, suppressedGroups, digest, pendingDigest, hidden);
  }

  private SegmentMetrics with(
      ContextLedger contexts,
      List<GroupMean> groups,
      @Nullable Double groupDifference,
      int suppressedGroups,
      String digest,
      String pendingDigest,
      @Nullable Hidden hidden) {
    return new SegmentMetrics(
        segment,
        shard,
        attempt,
        seq,
        policy,
        specHash,
        specNumber,
        modelFingerprint,
        eventTime,
        trigger,
        rounds,
        contexts,
        decisions,
        rewards,
        verdicts,
        fallbacks,
        violations,
        cumulativeViolation,
        groups,
        groupDifference,
        arms,
        digest,
        pendingDigest,
        judged,
        cumulativeUpperViolation,
        cumulativeSignedViolation,
        uncoveredShare,
        coverageAlarm,
        suppressedGroups,
        hidden,
        armsLeftOut,
        decisionsLeftOut,
        groupDifferenceOf,
        previousSeq,
        assumptionsTested,
        assumptionsRefuted,
        assumptionsUntested);
  }
}
