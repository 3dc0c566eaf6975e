package io.equipoise.console.document;

import io.equipoise.console.state.SampleMoments;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.console.state.SegmentHistory.Count;
import io.equipoise.console.state.SegmentHistory.Snapshot;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.SegmentMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes one segment for the page's overview. Counts are of the window, except those of the
 * snapshot.
 *
 * @param rate decisions per second over the last minute
 * @param lastDecision epoch ms; null before the first
 * @param rewards learned in the window
 * @param violations decisions with an estimated effect beyond the limit
 * @param unfair decisions with an effect whose whole interval is beyond the limit
 * @param hidden decisions with an effect that is redacted: violations do not count it
 * @param spark the segment's numbers in the latest buckets
 */
record OverviewRow(
    String name,
    @Nullable String policy,
    @Nullable Long specVersion,
    @Nullable String specHash,
    double rate,
    Total decisions,
    @Nullable Long lastDecision,
    @Nullable Double meanReward,
    long rewards,
    @Nullable Double certifiedShare,
    Total violations,
    long unfair,
    long hidden,
    @Nullable Double fallbackShare,
    @Nullable Double exploreShare,
    @Nullable Double groupGap,
    @Nullable String groupGapOf,
    long deadLetters,
    Spark spark,
    List<Attention> attention) {
  static final int SPARK_BUCKETS = 30;
  private static final Duration RATE_OVER = Duration.ofMinutes(1);

  /** Counts in the window, and since the segment began if a snapshot contains that count. */
  record Total(long window, @Nullable Long lifetime) {}

  /** Lists the numbers of the latest buckets. */
  record Spark(
      List<Long> decisions,
      List<@Nullable Double> meanReward,
      List<@Nullable Double> certifiedShare) {}

  static OverviewRow of(SegmentHistory segment, TimeAxis axis, long now) {
    long last = axis.bucketOf(now);
    long first = last - TimeAxis.BUCKETS + 1;
    long decisions = segment.count(Count.DECISIONS, first, last);
    Map<DecisionReason, Long> reasons = segment.reasons(first, last);
    Decision newest = segment.newest();
    Snapshot snapshot = segment.snapshot();
    SegmentMetrics metrics = snapshot == null ? null : snapshot.metrics();
    SampleMoments rewards = segment.allRewards(last);
    return new OverviewRow(
        segment.name(),
        newest != null ? newest.policy() : metrics != null ? metrics.policy() : null,
        newest != null ? newest.specVersion() : metrics != null ? metrics.specVersion() : null,
        newest != null ? newest.specHash() : metrics != null ? metrics.specHash() : null,
        rate(segment, axis, now),
        new Total(decisions, metrics == null ? null : (Long) metrics.contexts().decided()),
        segment.lastDecision() == 0 ? null : (Long) segment.lastDecision(),
        rewards.mean(),
        rewards.count(),
        share(segment.count(Count.CERTIFIED, first, last), decisions),
        new Total(
            segment.count(Count.VIOLATIONS, first, last),
            metrics == null ? null : (Long) metrics.fairness().violations()),
        segment.count(Count.UNFAIR, first, last),
        segment.count(Count.HIDDEN, first, last),
        share(fallbacks(reasons), decisions),
        share(explorations(reasons), decisions),
        metrics == null ? null : metrics.groups().difference(),
        metrics == null ? null : metrics.groups().differenceOf(),
        segment.count(Count.DEAD_LETTERS, first, last),
        spark(segment, last),
        Attention.of(segment, last));
  }

  private static double rate(SegmentHistory segment, TimeAxis axis, long now) {
    long last = axis.bucketOf(now);
    long whole = Math.max(1, RATE_OVER.toMillis() / axis.bucketMillis());
    long millis = whole * axis.bucketMillis() + Math.floorMod(now, axis.bucketMillis());
    return segment.count(Count.DECISIONS, last - whole, last) * 1000.0 / Math.max(1000, millis);
  }

  private static Spark spark(SegmentHistory segment, long last) {
    long first = last - SPARK_BUCKETS + 1;
    return new Spark(
        TimeAxis.series(first, last, it -> segment.count(Count.DECISIONS, it, it)),
        TimeAxis.series(first, last, it -> segment.rewards(it).mean()),
        TimeAxis.series(first, last, it -> certifiedShare(segment, it)));
  }

  /** Returns the share of the decisions of a bucket whose arm is certified. */
  static @Nullable Double certifiedShare(SegmentHistory segment, long bucket) {
    return share(
        segment.count(Count.CERTIFIED, bucket, bucket),
        segment.count(Count.DECISIONS, bucket, bucket));
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
}
