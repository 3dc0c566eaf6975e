package io.equipoise.console.document;

import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.ArmHistory;
import io.equipoise.console.state.SampleMoments;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.console.state.SegmentHistory.Count;
import io.equipoise.console.state.SegmentHistory.Snapshot;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.http.Json;
import io.equipoise.privacy.SmallCellSuppression;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Describes one segment with everything that the console knows of it. For use in {@link
 * Aggregator#read}.
 */
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
  public Json json(@Nullable SegmentSpec spec, @Nullable CausalBoundSet bounds, long minGroupSize) {
    Snapshot snapshot = segment.snapshot();
    SegmentMetrics published =
        snapshot == null
            ? null
            : new SmallCellSuppression(minGroupSize).suppress(snapshot.metrics());
    return Json.of()
        .with("now", now)
        .with("name", segment.name())
        .with("row", OverviewRow.of(segment, aggregator.axis(), now))
        .with("snapshot", published == null ? null : snapshot(published))
        .with("series", series())
        .with("fairness", new FairnessDocument(segment, published, spec, minGroupSize, last).json())
        .with("choices", choices())
        .with("model", ModelDocument.of(segment, spec, bounds))
        .with("experiment", ExperimentDocument.of(segment.changeLog()))
        .with("watch", watched())
        .with("recent", recent());
  }

  private @Nullable List<WatchText> watched() {
    List<WatchText> all =
        segment.watched().stream().map(it -> WatchText.of(it, segment.running())).toList();
    return all.isEmpty() ? null : all;
  }

  private static Json snapshot(SegmentMetrics metrics) {
    String overlapText =
        Attention.isNothingLearned(metrics)
            ? "No reward has been learned yet, so no comparison has data."
            : metrics.fairness().noOverlapShare() == 0
                ? "The traffic contains people for all comparisons of the latest decisions."
                : Wording.percent(metrics.fairness().noOverlapShare())
                    + " of the latest 1,000 decisions compare people whom the traffic does not"
                    + " contain. They stay undecided until it has such people.";
    return Json.of(metrics)
        .without("arms", "digests")
        .with(
            "groups",
            Json.of(metrics.groups())
                .with(
                    "means",
                    metrics.groups().means().stream().map(FairnessDocument::mean).toList()))
        .with("overlapText", overlapText);
  }

  private Json series() {
    return Json.of()
        .with("bucketMillis", aggregator.axis().bucketMillis())
        .with("times", aggregator.axis().starts(last, TimeAxis.BUCKETS))
        .with("decisions", series(it -> segment.count(Count.DECISIONS, it, it)))
        .with("meanReward", series(it -> segment.rewards(it).mean()))
        .with("certifiedShare", series(it -> OverviewRow.certifiedShare(segment, it)))
        .with("fallbackShare", series(it -> share(it, OverviewRow::fallbacks)))
        .with("exploreShare", series(it -> share(it, OverviewRow::explorations)))
        .with("deadLetters", series(it -> segment.count(Count.DEAD_LETTERS, it, it)))
        .with("dual", series(it -> segment.duals(it).mean()));
  }

  private <T extends @Nullable Object> List<T> series(LongFunction<T> value) {
    return TimeAxis.series(first, last, value);
  }

  private @Nullable Double share(long bucket, ToLongFunction<Map<DecisionReason, Long>> part) {
    return OverviewRow.share(
        part.applyAsLong(segment.reasons(bucket, bucket)),
        segment.count(Count.DECISIONS, bucket, bucket));
  }

  private Json choices() {
    Snapshot snapshot = segment.snapshot();
    Map<String, Long> lifetime = new HashMap<>();
    if (snapshot != null) {
      snapshot
          .metrics()
          .arms()
          .listed()
          .forEach(share -> lifetime.put(share.arm(), share.decisions()));
    }
    long decisions = segment.arms().values().stream().mapToLong(arm -> arm.total(last)).sum();
    ArmHistory others = segment.otherArms();
    long all = decisions + others.total(last);
    List<Json> arms =
        segment.arms().entrySet().stream()
            .sorted(
                Comparator.comparingLong(
                        (Map.Entry<String, ArmHistory> it) -> it.getValue().total(last))
                    .reversed())
            .map(it -> arm(it.getKey(), it.getValue(), all, lifetime.get(it.getKey())))
            .toList();
    Double dual =
        series(it -> segment.duals(it).mean()).stream()
            .filter(it -> it != null)
            .reduce((one, next) -> next)
            .orElse(null);
    long known = lifetime.values().stream().mapToLong(Long::longValue).sum();
    long shown =
        segment.arms().keySet().stream().mapToLong(arm -> lifetime.getOrDefault(arm, 0L)).sum();
    Long ofOthers =
        snapshot == null
            ? null
            : (Long) (known - shown + snapshot.metrics().arms().decisionsLeftOut());
    return Json.of()
        .with(
            "armCount",
            snapshot == null
                ? segment.arms().size()
                : lifetime.size() + snapshot.metrics().arms().leftOut())
        .with("arms", arms)
        .with(
            "otherArms",
            Json.of()
                .with("decisions", new OverviewRow.Total(others.total(last), ofOthers))
                .with("series", series(others::decisions)))
        .with("reasons", segment.reasons(first, last))
        .with("dual", dual)
        .with(
            "dualText",
            dual == null
                ? null
                : "The price of the fairness constraint: how much reward the policy gives up for"
                    + " one unit of effect.");
  }

  private Json arm(String id, ArmHistory arm, long all, @Nullable Long lifetime) {
    SampleMoments rewards = arm.rewards(last);
    Double mean = rewards.mean();
    Double half = rewards.halfWidth();
    boolean hasInterval = mean != null && half != null;
    return Json.of()
        .with("arm", id)
        .with("decisions", new OverviewRow.Total(arm.total(last), lifetime))
        .with("share", OverviewRow.share(arm.total(last), all))
        .with("meanReward", mean)
        .with("rewardLower", hasInterval ? (Double) (mean - half) : null)
        .with("rewardUpper", hasInterval ? (Double) (mean + half) : null)
        .with("rewards", rewards.count())
        .with("series", series(arm::decisions));
  }

  private List<DecisionDocument.Line> recent() {
    List<DecisionDocument.Line> lines = new ArrayList<>();
    for (SegmentHistory.RecentDecision one : segment.recent()) {
      DecisionRecords.of(aggregator.recent().find(segment.name(), one.id())).stream()
          .filter(records -> records.decision().source().equals(one.source()))
          .forEach(records -> lines.add(DecisionDocument.Line.of(records)));
    }
    return lines;
  }

  /** Returns the latest decisions of all segments or one, newest first. */
  public static Json recent(Aggregator aggregator, @Nullable String segment, int limit) {
    List<DecisionDocument.Line> lines = new ArrayList<>();
    for (SegmentHistory each : aggregator.segments()) {
      if (segment == null || each.name().equals(segment)) {
        lines.addAll(new SegmentDocument(aggregator, each, 0).recent());
      }
    }
    lines.sort(Comparator.comparingLong(DecisionDocument.Line::time).reversed());
    return Json.of().with("decisions", lines.stream().limit(limit).toList());
  }
}
