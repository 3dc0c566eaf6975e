package io.equipoise.console.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.console.state.GroupHistory;
import io.equipoise.console.state.PairHistory;
import io.equipoise.console.state.SampleMoments;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.console.state.SegmentHistory.Snapshot;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.GroupMean;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.privacy.SmallCellSuppression;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fairness of a segment: verdicts and effects by pair of levels, and the outcomes of groups.
 * Leaves out groups and pairs with fewer people than the deployment publishes.
 */
final class FairnessDocument {
  private final SegmentHistory segment;
  private final @Nullable SegmentMetrics metrics;
  private final @Nullable SegmentSpec spec;
  private final long minGroupSize;
  private final long last;
  private final long first;
  private long pairsLeftOut;

  FairnessDocument(
      SegmentHistory segment, @Nullable SegmentSpec spec, long minGroupSize, long last) {
    this.segment = segment;
    this.spec = spec;
    this.minGroupSize = minGroupSize;
    this.last = last;
    first = last - TimeAxis.BUCKETS + 1;
    Snapshot snapshot = segment.snapshot();
    metrics =
        snapshot == null
            ? null
            : new SmallCellSuppression(minGroupSize).suppress(snapshot.metrics());
  }

  ObjectNode json() {
    FairnessAudit newest = segment.newestAudit();
    Double delta = spec == null ? null : (Double) spec.fairness().delta();
    Double threshold =
        newest != null ? (Double) newest.threshold() : spec == null ? null : spec.fairness().tau();
    List<ObjectNode> attributes = attributes();
    SegmentMetrics snapshot = metrics;
    return Json.object(
        "threshold",
        threshold,
        "areEffectsHidden",
        newest != null && newest.effect().estimate() == null && newest.redaction() != null,
        "delta",
        delta,
        "confidenceText",
        delta == null ? null : Wording.percent(1 - delta),
        "attributes",
        attributes,
        "pairsLeftOut",
        pairsLeftOut,
        "auditsLeftOut",
        segment.auditsLeftOut(),
        "groupGap",
        snapshot == null ? null : snapshot.groupDifference(),
        "groupGapOf",
        snapshot == null ? null : snapshot.groupDifferenceOf(),
        "suppressedGroups",
        snapshot == null ? 0 : snapshot.suppressedGroups(),
        "suppressionText",
        suppressionText(),
        "groupIntervalText",
        "Approximate 95 % interval of the mean, from the spread of all rewards of the segment in"
            + " the window.",
        "overlap",
        overlap(),
        "certificates",
        certificates(),
        "assumptions",
        assumptions());
  }

  private @Nullable String suppressionText() {
    int suppressed = metrics == null ? 0 : metrics.suppressedGroups();
    return suppressed == 0 && pairsLeftOut == 0
        ? null
        : ("%d groups and %d comparisons are not shown: they, or others that follow from them, have"
                + " fewer than %d people.")
            .formatted(suppressed, pairsLeftOut, minGroupSize);
  }

  private List<ObjectNode> attributes() {
    Map<String, List<PairHistory>> pairs = new LinkedHashMap<>();
    for (PairHistory pair : segment.pairs()) {
      long audits = pair.audits(last);
      if (audits == 0) {
        continue;
      }
      if (audits < minGroupSize) {
        pairsLeftOut++;
      } else {
        pairs.computeIfAbsent(pair.key().attribute(), any -> new ArrayList<>()).add(pair);
      }
    }
    TreeSet<String> names = new TreeSet<>(pairs.keySet());
    List<GroupMean> groups = metrics == null ? List.of() : metrics.groups();
    groups.forEach(group -> names.add(group.attribute()));
    List<ObjectNode> all = new ArrayList<>();
    for (String name : names) {
      List<GroupMean> own =
          groups.stream().filter(group -> group.attribute().equals(name)).toList();
      all.add(
          Json.object(
              "attribute",
              name,
              "pairs",
              pairs.getOrDefault(name, List.of()).stream().map(this::pair).toList(),
              "groups",
              own.stream().map(this::group).toList(),
              "groupSeries",
              own.stream().map(this::series).toList()));
    }
    return all;
  }

  private ObjectNode pair(PairHistory pair) {
    Map<String, List<Long>> series = new LinkedHashMap<>();
    Map<String, Long> counts = new LinkedHashMap<>();
    for (AuditVerdict verdict : AuditVerdict.values()) {
      series.put(verdict.name(), pair.series(verdict, first, last));
      counts.put(verdict.name(), pair.count(verdict, last));
    }
    List<ObjectNode> effects = new ArrayList<>();
    pair.effects().forEach((arm, effect) -> effects.add(effect(arm, effect)));
    return Json.object(
        "factual",
        pair.key().factual(),
        "counterfactual",
        pair.key().counterfactual(),
        "kind",
        pair.kind(),
        "series",
        series,
        "counts",
        counts,
        "effects",
        effects,
        "effectsLeftOut",
        pair.effectsLeftOut());
  }

  private static ObjectNode effect(String arm, PairHistory.Effect effect) {
    return Json.object(
        "arm",
        arm,
        "estimate",
        effect.estimate(),
        "lower",
        effect.lower(),
        "upper",
        effect.upper(),
        "threshold",
        effect.threshold(),
        "verdict",
        effect.verdict(),
        "verdictText",
        Wording.verdict(effect.verdict()),
        "guarantee",
        effect.guarantee(),
        "guaranteeText",
        Wording.guarantee(effect.guarantee()),
        "interval",
        effect.interval(),
        "unsupportedShare",
        effect.unsupportedShare(),
        "identified",
        effect.isIdentified(),
        "time",
        effect.time(),
        "audits",
        effect.audits(),
        "decisionId",
        effect.decisionId());
  }

  private ObjectNode group(GroupMean group) {
    Double deviation = segment.allRewards(last).deviation();
    boolean isEmpty = group.rewards() == 0;
    Double half =
        isEmpty || deviation == null
            ? null
            : (Double) (SampleMoments.Z95 * deviation / Math.sqrt((double) group.rewards()));
    return Json.object(
        "level",
        group.level(),
        "rewards",
        group.rewards(),
        "mean",
        isEmpty ? null : (Double) group.mean(),
        "lower",
        half == null ? null : (Double) (group.mean() - half),
        "upper",
        half == null ? null : (Double) (group.mean() + half));
  }

  private ObjectNode series(GroupMean group) {
    GroupHistory history = segment.group(group.attribute(), group.level());
    List<@Nullable Double> means = new ArrayList<>();
    List<@Nullable Long> rewards = new ArrayList<>();
    for (long bucket = first; bucket <= last; bucket++) {
      long count = history == null ? 0 : history.rewards(bucket);
      boolean isShown = history != null && count > 0 && count >= minGroupSize;
      means.add(isShown ? history.mean(bucket) : null);
      rewards.add(isShown ? (Long) count : null);
    }
    return Json.object("level", group.level(), "mean", means, "rewards", rewards);
  }

  private @Nullable ObjectNode overlap() {
    SegmentMetrics snapshot = metrics;
    if (snapshot == null) {
      return null;
    }
    String share = Wording.percent(snapshot.noOverlapShare());
    return Json.object(
        "noOverlapShare",
        snapshot.noOverlapShare(),
        "alarm",
        snapshot.overlapAlarm(),
        "text",
        snapshot.noOverlapShare() == 0
            ? "The traffic contains people for all comparisons of the latest decisions."
            : share
                + " of the latest 1,000 decisions compare people whom the traffic does not contain."
                + " They stay undecided until it has such people.");
  }

  private List<ObjectNode> certificates() {
    return metrics == null
        ? List.of()
        : metrics.certificates().stream()
            .map(
                it ->
                    Json.object(
                        "arm",
                        it.arm(),
                        "attribute",
                        it.attribute(),
                        "status",
                        it.status(),
                        "rewardsToCertificate",
                        it.rewardsToCertificate(),
                        "share",
                        it.share(),
                        "lockedIn",
                        it.lockedIn()))
            .toList();
  }

  private List<ObjectNode> assumptions() {
    List<ObjectNode> all = new ArrayList<>();
    SegmentMetrics snapshot = metrics;
    if (snapshot != null) {
      for (String name : snapshot.assumptionsRefuted()) {
        all.add(Json.object("name", name, "state", "REFUTED"));
      }
      for (String name : snapshot.assumptionsTested()) {
        if (!snapshot.assumptionsRefuted().contains(name)) {
          all.add(Json.object("name", name, "state", "TESTED"));
        }
      }
      for (String name : snapshot.assumptionsUntested()) {
        all.add(Json.object("name", name, "state", "UNTESTED"));
      }
    }
    return all;
  }
}
