package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of one segment's counts and digests. {@code avro/SegmentMetrics.avsc} documents the
 * meaning and unit of every component; times are epoch ms. Lists are copied.
 */
public record SegmentMetrics(
    String segment,
    int writerEpoch,
    long seq,
    String policy,
    @Nullable String specHash,
    @Nullable Long specVersion,
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
    @Nullable Double cumulativeViolation,
    List<GroupMean> groups,
    @Nullable Double groupDifference,
    List<ArmShare> arms,
    String digest,
    String pendingDigest,
    long auditedDecisions,
    @Nullable Double cumulativeUpperViolation,
    @Nullable Double cumulativeSignedViolation,
    double noOverlapShare,
    boolean overlapAlarm,
    int suppressedGroups,
    @Nullable Redaction redaction,
    int armsLeftOut,
    long decisionsLeftOut,
    @Nullable String groupDifferenceOf,
    long previousSeq,
    List<String> assumptionsTested,
    List<String> assumptionsRefuted,
    List<String> assumptionsUntested,
    List<ArmCertificate> certificates)
    implements SegmentOutput {

  public SegmentMetrics {
    groups = List.copyOf(groups);
    arms = List.copyOf(arms);
    assumptionsTested = List.copyOf(assumptionsTested);
    assumptionsRefuted = List.copyOf(assumptionsRefuted);
    assumptionsUntested = List.copyOf(assumptionsUntested);
    certificates = List.copyOf(certificates);
  }

  /** Returns a copy with fewer groups. */
  public SegmentMetrics with(
      List<GroupMean> groups, @Nullable Double groupDifference, int suppressedGroups) {
    return with(groups, groupDifference, suppressedGroups, digest, pendingDigest, redaction);
  }

  /** Returns a copy with other digests. */
  public SegmentMetrics with(String digest, String pendingDigest, @Nullable Redaction redaction) {
    return with(groups, groupDifference, suppressedGroups, digest, pendingDigest, redaction);
  }

  /** Returns a copy with another ledger of contexts. */
  public SegmentMetrics with(ContextLedger other) {
    return with(other, groups, groupDifference, suppressedGroups, digest, pendingDigest, redaction);
  }

  private SegmentMetrics with(
      List<GroupMean> groups,
      @Nullable Double groupDifference,
      int suppressedGroups,
      String digest,
      String pendingDigest,
      @Nullable Redaction redaction) {
    return with(
        contexts, groups, groupDifference, suppressedGroups, digest, pendingDigest, redaction);
  }

  /** Returns a copy without the sums of effects beyond the threshold. */
  public SegmentMetrics withoutSums() {
    return with(
        contexts,
        groups,
        groupDifference,
        suppressedGroups,
        digest,
        pendingDigest,
        redaction,
        null,
        null,
        null);
  }

  private SegmentMetrics with(
      ContextLedger contexts,
      List<GroupMean> groups,
      @Nullable Double groupDifference,
      int suppressedGroups,
      String digest,
      String pendingDigest,
      @Nullable Redaction redaction) {
    return with(
        contexts,
        groups,
        groupDifference,
        suppressedGroups,
        digest,
        pendingDigest,
        redaction,
        cumulativeViolation,
        cumulativeUpperViolation,
        cumulativeSignedViolation);
  }

  private SegmentMetrics with(
      ContextLedger contexts,
      List<GroupMean> groups,
      @Nullable Double groupDifference,
      int suppressedGroups,
      String digest,
      String pendingDigest,
      @Nullable Redaction redaction,
      @Nullable Double cumulativeViolation,
      @Nullable Double cumulativeUpperViolation,
      @Nullable Double cumulativeSignedViolation) {
    return new SegmentMetrics(
        segment,
        writerEpoch,
        seq,
        policy,
        specHash,
        specVersion,
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
        auditedDecisions,
        cumulativeUpperViolation,
        cumulativeSignedViolation,
        noOverlapShare,
        overlapAlarm,
        suppressedGroups,
        redaction,
        armsLeftOut,
        decisionsLeftOut,
        groupDifferenceOf,
        previousSeq,
        assumptionsTested,
        assumptionsRefuted,
        assumptionsUntested,
        certificates);
  }
}
