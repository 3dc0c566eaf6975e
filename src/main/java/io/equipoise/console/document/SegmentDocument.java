package io.equipoise.console.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.ArmHistory;
import io.equipoise.console.state.SampleMoments;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.console.state.SegmentHistory.Count;
import io.equipoise.console.state.SegmentHistory.Snapshot;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.ArmShare;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything about one segment. For use in {@link Aggregator#read}. */
public final class SegmentDocument {
  private final Aggregator aggregator;
  private final SegmentHistory segment;
  private final long now;
  private final long last;
  private final long first;

  public SegmentDocument(Aggregator aggregator, SegmentHistory segment, long now) {
    this.aggregator = aggregator;
    this.segment = segment;
    this.now = now;
    last = aggregator.axis().bucketOf(now);
    first = last - TimeAxis.BUCKETS + 1;
  }

  /**
   * Makes the document.
   *
   * @param spec null if its text is unknown
   * @param bounds those in force; null if there are none
   */
  public ObjectNode json(
      @Nullable SegmentSpec spec, @Nullable CausalBoundSet bounds, long minGroupSize) {
    return Json.object(
        "now",
        now,
        "name",
        segment.name(),
        "row",
        OverviewRow.of(segment, aggregator.axis(), now).json(),
        "snapshot",
        snapshot(),
        "series",
        series(),
        "fairness",
        new FairnessDocument(segment, spec, minGroupSize, last).json(),
        "choices",
        choices(),
        "model",
        ModelDocument.of(segment, spec, bounds),
        "experiment",
        ExperimentDocument.of(segment.changeLog()),
        "recent",
        recent());
  }

  private @Nullable ObjectNode snapshot() {
    Snapshot snapshot = segment.snapshot();
    if (snapshot == null) {
      return null;
    }
    SegmentMetrics metrics = snapshot.metrics();
    return Json.object(
        "time",
        snapshot.time(),
        "eventTime",
        metrics.eventTime(),
        "rounds",
        metrics.rounds(),
        "contexts",
        Json.object(
            "decided",
            metrics.contexts().decided(),
            "rejected",
            metrics.contexts().rejected(),
            "deadlineExceeded",
            metrics.contexts().deadlineExceeded(),
            "duplicate",
            metrics.contexts().duplicate(),
            "conflicting",
            metrics.contexts().conflicting()),
        "decisions",
        Json.object(
            "awaiting",
            metrics.decisions().awaiting(),
            "settled",
            metrics.decisions().settled(),
            "timedOut",
            metrics.decisions().timedOut(),
            "evicted",
            metrics.decisions().evicted(),
            "closedNotLearnable",
            metrics.decisions().closedNotLearnable()),
        "rewards",
        Json.object(
            "applied",
            metrics.rewards().applied(),
            "buffered",
            metrics.rewards().buffered(),
            "heldEarly",
            metrics.rewards().heldEarly(),
            "duplicate",
            metrics.rewards().duplicate(),
            "conflicting",
            metrics.rewards().conflicting(),
            "late",
            metrics.rewards().late(),
            "orphan",
            metrics.rewards().orphan(),
            "notLearnable",
            metrics.rewards().notLearnable(),
            "invalid",
            metrics.rewards().invalid()),
        "verdicts",
        Json.object(
            "certifiedFair",
            metrics.verdicts().certifiedFair(),
            "unfair",
            metrics.verdicts().unfair(),
            "noOverlap",
            metrics.verdicts().noOverlap(),
            "fair",
            metrics.verdicts().fair(),
            "uncertain",
            metrics.verdicts().uncertain(),
            "notIdentified",
            metrics.verdicts().notIdentified()),
        "fallbacks",
        metrics.fallbacks(),
        "violations",
        metrics.violations(),
        "cumulativeViolation",
        metrics.cumulativeViolation(),
        "cumulativeUpperViolation",
        metrics.cumulativeUpperViolation(),
        "cumulativeSignedViolation",
        metrics.cumulativeSignedViolation());
  }

  private ObjectNode series() {
    List<Long> decisions = new ArrayList<>();
    List<@Nullable Double> meanReward = new ArrayList<>();
    List<@Nullable Double> certified = new ArrayList<>();
    List<@Nullable Double> fallback = new ArrayList<>();
    List<@Nullable Double> explore = new ArrayList<>();
    List<Long> violations = new ArrayList<>();
    List<Long> deadLetters = new ArrayList<>();
    List<@Nullable Double> dual = new ArrayList<>();
    for (long bucket = first; bucket <= last; bucket++) {
      long decided = segment.count(Count.DECISIONS, bucket, bucket);
      Map<DecisionReason, Long> reasons = segment.reasons(bucket, bucket);
      decisions.add(decided);
      meanReward.add(segment.rewards(bucket).mean());
      certified.add(OverviewRow.share(segment.count(Count.CERTIFIED, bucket, bucket), decided));
      fallback.add(OverviewRow.share(OverviewRow.fallbacks(reasons), decided));
      explore.add(OverviewRow.share(OverviewRow.explorations(reasons), decided));
      violations.add(segment.count(Count.VIOLATIONS, bucket, bucket));
      deadLetters.add(segment.count(Count.DEAD_LETTERS, bucket, bucket));
      dual.add(segment.duals(bucket).mean());
    }
    return Json.object(
        "bucketMillis",
        aggregator.axis().bucketMillis(),
        "times",
        aggregator.axis().starts(last, TimeAxis.BUCKETS),
        "decisions",
        decisions,
        "meanReward",
        meanReward,
        "certifiedShare",
        certified,
        "fallbackShare",
        fallback,
        "exploreShare",
        explore,
        "violations",
        violations,
        "deadLetters",
        deadLetters,
        "dual",
        dual);
  }

  private ObjectNode choices() {
    Snapshot snapshot = segment.snapshot();
    Map<String, Long> lifetime = new HashMap<>();
    if (snapshot != null) {
      for (ArmShare share : snapshot.metrics().arms()) {
        lifetime.put(share.arm(), share.decisions());
      }
    }
    long decisions = segment.arms().values().stream().mapToLong(arm -> arm.total(last)).sum();
    long all = decisions + segment.otherArms().total(last);
    List<ObjectNode> arms =
        segment.arms().entrySet().stream()
            .sorted(
                Comparator.comparingLong(
                        (Map.Entry<String, ArmHistory> it) -> it.getValue().total(last))
                    .reversed())
            .map(it -> arm(it.getKey(), it.getValue(), all, lifetime.get(it.getKey())))
            .toList();
    List<@Nullable Double> duals = new ArrayList<>();
    for (long bucket = first; bucket <= last; bucket++) {
      duals.add(segment.duals(bucket).mean());
    }
    Double dual = duals.stream().filter(it -> it != null).reduce((one, next) -> next).orElse(null);
    long known = lifetime.values().stream().mapToLong(Long::longValue).sum();
    long shown =
        segment.arms().keySet().stream().mapToLong(arm -> lifetime.getOrDefault(arm, 0L)).sum();
    return Json.object(
        "armCount",
        snapshot == null
            ? segment.arms().size()
            : snapshot.metrics().arms().size() + snapshot.metrics().armsLeftOut(),
        "arms",
        arms,
        "otherArms",
        Json.object(
            "decisions",
            Json.object(
                "window",
                segment.otherArms().total(last),
                "lifetime",
                snapshot == null
                    ? null
                    : (Long) (known - shown + snapshot.metrics().decisionsLeftOut())),
            "series",
            series(segment.otherArms())),
        "reasons",
        segment.reasons(first, last),
        "dual",
        dual,
        "dualText",
        dual == null
            ? null
            : "The price of the fairness constraint: how much reward the policy gives up for one"
                + " unit of effect.");
  }

  private ObjectNode arm(String id, ArmHistory arm, long all, @Nullable Long lifetime) {
    SampleMoments rewards = arm.rewards(last);
    Double mean = rewards.mean();
    Double half = rewards.halfWidth();
    boolean hasInterval = mean != null && half != null;
    return Json.object(
        "arm",
        id,
        "decisions",
        Json.object("window", arm.total(last), "lifetime", lifetime),
        "share",
        OverviewRow.share(arm.total(last), all),
        "meanReward",
        mean,
        "rewardLower",
        hasInterval ? (Double) (mean - half) : null,
        "rewardUpper",
        hasInterval ? (Double) (mean + half) : null,
        "rewards",
        rewards.count(),
        "series",
        series(arm));
  }

  private List<Long> series(ArmHistory arm) {
    List<Long> series = new ArrayList<>();
    for (long bucket = first; bucket <= last; bucket++) {
      series.add(arm.decisions(bucket));
    }
    return series;
  }

  private List<ObjectNode> recent() {
    List<ObjectNode> lines = new ArrayList<>();
    for (String id : segment.recentIds()) {
      DecisionRecords records = DecisionRecords.of(aggregator.recent().find(segment.name(), id));
      Decision decision = records.decision();
      if (decision != null) {
        lines.add(DecisionDocument.line(records, decision));
      }
    }
    return lines;
  }

  /** Returns the latest decisions of all segments or one, newest first. */
  public static ObjectNode recent(Aggregator aggregator, @Nullable String segment, int limit) {
    List<ObjectNode> lines = new ArrayList<>();
    for (SegmentHistory each : aggregator.segments()) {
      if (segment == null || each.name().equals(segment)) {
        lines.addAll(new SegmentDocument(aggregator, each, 0).recent());
      }
    }
    lines.sort(Comparator.comparingLong((ObjectNode it) -> it.path("time").asLong()).reversed());
    return Json.object("decisions", lines.stream().limit(limit).toList());
  }
}
