package io.equipoise.console.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.console.state.SampleMoments;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.console.state.SegmentHistory.Count;
import io.equipoise.console.state.SegmentHistory.Snapshot;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.SegmentMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The overview of one segment. Counts are of the window, except those of the snapshot.
 *
 * @param rate decisions per second over the last minute
 * @param rewards learned in the window
 * @param spark the segment's numbers in the latest buckets
 */
record OverviewRow(
    String name,
    @Nullable String policy,
    @Nullable Long specVersion,
    @Nullable String specHash,
    double rate,
    long decisions,
    long lastDecision,
    SampleMoments rewards,
    @Nullable Double certifiedShare,
    @Nullable Double fallbackShare,
    @Nullable Double exploreShare,
    long violations,
    long deadLetters,
    @Nullable SegmentMetrics snapshot,
    List<Attention> attention,
    Spark spark) {
  static final int SPARK_BUCKETS = 30;
  private static final Duration RATE_OVER = Duration.ofMinutes(1);

  /** The numbers of the latest buckets. */
  record Spark(
      List<Long> decisions,
      List<@Nullable Double> meanReward,
      List<@Nullable Double> certifiedShare) {}

  /** Computes the row of a segment at a time. */
  static OverviewRow of(SegmentHistory segment, TimeAxis axis, long now) {
    long last = axis.bucketOf(now);
    long first = last - TimeAxis.BUCKETS + 1;
    long decisions = segment.count(Count.DECISIONS, first, last);
    Map<DecisionReason, Long> reasons = segment.reasons(first, last);
    Decision newest = segment.newest();
    Snapshot snapshot = segment.snapshot();
    SegmentMetrics metrics = snapshot == null ? null : snapshot.metrics();
    return new OverviewRow(
        segment.name(),
        newest != null ? newest.policy() : metrics != null ? metrics.policy() : null,
        newest != null ? newest.specVersion() : metrics != null ? metrics.specVersion() : null,
        newest != null ? newest.specHash() : metrics != null ? metrics.specHash() : null,
        rate(segment, axis, now),
        decisions,
        segment.lastDecision(),
        segment.allRewards(last),
        share(segment.count(Count.CERTIFIED, first, last), decisions),
        share(fallbacks(reasons), decisions),
        share(explorations(reasons), decisions),
        segment.count(Count.VIOLATIONS, first, last),
        segment.count(Count.DEAD_LETTERS, first, last),
        metrics,
        Attention.of(segment, last),
        spark(segment, last));
  }

  private static double rate(SegmentHistory segment, TimeAxis axis, long now) {
    long last = axis.bucketOf(now);
    long whole = Math.max(1, RATE_OVER.toMillis() / axis.bucketMillis());
    long millis = whole * axis.bucketMillis() + Math.floorMod(now, axis.bucketMillis());
    return segment.count(Count.DECISIONS, last - whole, last) * 1000.0 / Math.max(1000, millis);
  }

  private static Spark spark(SegmentHistory segment, long last) {
    List<Long> decisions = new ArrayList<>();
    List<@Nullable Double> meanReward = new ArrayList<>();
    List<@Nullable Double> certified = new ArrayList<>();
    for (long bucket = last - SPARK_BUCKETS + 1; bucket <= last; bucket++) {
      long decided = segment.count(Count.DECISIONS, bucket, bucket);
      decisions.add(decided);
      meanReward.add(segment.rewards(bucket).mean());
      certified.add(share(segment.count(Count.CERTIFIED, bucket, bucket), decided));
    }
    return new Spark(decisions, meanReward, certified);
  }

  /** Returns the decisions for which no arm met the constraint. */
  static long fallbacks(Map<DecisionReason, Long> reasons) {
    return sum(reasons, DecisionReason.FALLBACK, DecisionReason.UNCERTIFIED);
  }

  /** Returns the decisions that were made to learn. */
  static long explorations(Map<DecisionReason, Long> reasons) {
    return sum(
        reasons, DecisionReason.EXPLORE, DecisionReason.FORCED_EXPLORATION, DecisionReason.SAMPLE);
  }

  private static long sum(Map<DecisionReason, Long> reasons, DecisionReason... of) {
    long sum = 0;
    for (DecisionReason reason : of) {
      sum += reasons.getOrDefault(reason, 0L);
    }
    return sum;
  }

  /** Returns a share, null of nothing. */
  static @Nullable Double share(long part, long whole) {
    return whole == 0 ? null : (Double) ((double) part / whole);
  }

  /** Returns the rank of the gravest mark, 0 without any. */
  int rank() {
    return attention.isEmpty() ? 0 : attention.get(0).rank();
  }

  @Nullable Double groupGap() {
    return snapshot == null ? null : snapshot.groupDifference();
  }

  /** Returns the row as JSON. */
  ObjectNode json() {
    SegmentMetrics metrics = snapshot;
    Long lifetime = metrics == null ? null : (Long) metrics.contexts().decided();
    return Json.object(
        "name",
        name,
        "policy",
        policy,
        "specVersion",
        specVersion,
        "specHash",
        specHash,
        "rate",
        rate,
        "decisions",
        Json.object("window", decisions, "lifetime", lifetime),
        "lastDecision",
        lastDecision == 0 ? null : (Long) lastDecision,
        "meanReward",
        rewards.mean(),
        "rewards",
        rewards.count(),
        "certifiedShare",
        certifiedShare,
        "violations",
        Json.object(
            "window", violations, "lifetime", metrics == null ? null : metrics.violations()),
        "fallbackShare",
        fallbackShare,
        "exploreShare",
        exploreShare,
        "groupGap",
        groupGap(),
        "groupGapOf",
        metrics == null ? null : metrics.groupDifferenceOf(),
        "deadLetters",
        deadLetters,
        "spark",
        Json.object(
            "decisions",
            spark.decisions(),
            "meanReward",
            spark.meanReward(),
            "certifiedShare",
            spark.certifiedShare()),
        "attention",
        attention.stream().map(Attention::json).toList());
  }
}
