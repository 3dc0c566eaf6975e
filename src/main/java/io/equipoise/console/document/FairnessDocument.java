package io.equipoise.console.document;

import io.equipoise.console.state.PairHistory;
import io.equipoise.console.state.SampleMoments;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.EffectUnit;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.GapSplit;
import io.equipoise.event.GroupMean;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.http.Json;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes the fairness of a segment: verdicts and effects by pair of levels, and the outcomes of
 * groups. Leaves out groups and pairs with fewer people than the deployment publishes.
 *
 * <p>{@link #json}, called once, counts the pairs that it leaves out while it lists attributes. The
 * count is valid for the fields after them.
 */
final class FairnessDocument {
  private final SegmentHistory segment;
  private final @Nullable SegmentMetrics metrics;
  private final @Nullable SegmentSpec spec;
  private final long minGroupSize;
  private final long last;
  private final long first;
  private long pairsLeftOut;

  /**
   * Prepares the document.
   *
   * @param metrics the latest snapshot without small groups; null if there is none
   */
  FairnessDocument(
      SegmentHistory segment,
      @Nullable SegmentMetrics metrics,
      @Nullable SegmentSpec spec,
      long minGroupSize,
      long last) {
    this.segment = segment;
    this.metrics = metrics;
    this.spec = spec;
    this.minGroupSize = minGroupSize;
    this.last = last;
    first = last - TimeAxis.BUCKETS + 1;
  }

  Json json() {
    FairnessAudit newest = segment.newestAudit();
    Double delta = spec == null ? null : (Double) spec.fairness().delta();
    Double threshold =
        newest != null ? (Double) newest.threshold() : spec == null ? null : spec.fairness().tau();
    EffectUnit unit =
        newest != null
            ? newest.conclusion().unit()
            : spec == null ? EffectUnit.REWARD : spec.fairness().unit();
    return Json.of()
        .with("threshold", threshold)
        .with("limitsText", limitsText())
        .with("unit", unit)
        .with("delta", delta)
        .with("confidenceText", delta == null ? null : Wording.percent(1 - delta))
        .with("attributes", attributes())
        .with("pairsLeftOut", pairsLeftOut)
        .with("auditsLeftOut", segment.auditsLeftOut())
        .with("suppressionText", suppressionText())
        .with(
            "groupIntervalText",
            "Approximate 95 % interval of the mean, from the spread of all rewards of the segment"
                + " in the window.");
  }

  /** Returns the limits of several kinds; null of one. */
  private @Nullable String limitsText() {
    return spec == null || spec.fairness().kinds().size() < 2
        ? null
        : spec.fairness().kinds().entrySet().stream()
            .map(
                it ->
                    it.getKey().name().toLowerCase(Locale.ROOT)
                        + " "
                        + Wording.number(it.getValue()))
            .collect(Collectors.joining(", "));
  }

  private @Nullable String suppressionText() {
    int suppressed = metrics == null ? 0 : metrics.groups().suppressed();
    return suppressed == 0 && pairsLeftOut == 0
        ? null
        : ("%d groups and %d comparisons are not shown: they, or others that follow from them, have"
                + " fewer than %d people.")
            .formatted(suppressed, pairsLeftOut, minGroupSize);
  }

  private List<Json> attributes() {
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
    List<GroupMean> groups = metrics == null ? List.of() : metrics.groups().means();
    groups.forEach(group -> names.add(group.attribute()));
    List<Json> all = new ArrayList<>();
    for (String name : names) {
      List<GroupMean> own =
          groups.stream().filter(group -> group.attribute().equals(name)).toList();
      all.add(
          Json.of()
              .with("attribute", name)
              .with("pairs", pairs.getOrDefault(name, List.of()).stream().map(this::pair).toList())
              .with("groups", own.stream().map(this::group).toList())
              .with("splits", splits(name)));
    }
    return all;
  }

  private List<Json> splits(String attribute) {
    List<Json> all = new ArrayList<>();
    if (metrics == null) {
      return all;
    }
    for (GapSplit split : metrics.splits()) {
      if (split.attribute().equals(attribute)) {
        all.add(
            Json.of()
                .with("reference", split.reference())
                .with("other", split.other())
                .with(
                    "sentence",
                    "%s %s.".formatted(Wording.split(split, metrics, spec), Wording.counted(split)))
                .with(
                    "bars",
                    split.withGap().stream()
                        .map(it -> Json.of(it).with("text", Wording.part(it, split, spec)))
                        .toList()));
      }
    }
    return all;
  }

  private Json pair(PairHistory pair) {
    Json series = Json.of();
    Json counts = Json.of();
    for (AuditVerdict verdict : AuditVerdict.values()) {
      series.with(verdict.name(), pair.series(verdict, first, last));
      counts.with(verdict.name(), pair.count(verdict, last));
    }
    List<Json> effects = new ArrayList<>();
    pair.effects()
        .forEach(
            (arm, effect) -> {
              if (effect.audits() < minGroupSize) {
                pairsLeftOut++;
              } else {
                effects.add(effect(arm, effect));
              }
            });
    return Json.of(pair.key())
        .with("kindText", Wording.kind(pair.key().kind(), pair.key().attribute(), spec))
        .with(
            "limit",
            pair.effects().values().stream()
                .max(Comparator.comparingLong(PairHistory.Effect::time))
                .map(PairHistory.Effect::threshold)
                .orElse(null))
        .with("series", series)
        .with("counts", counts)
        .with("effects", effects)
        .with("effectsLeftOut", pair.effectsLeftOut());
  }

  private static Json effect(String arm, PairHistory.Effect latest) {
    return Json.of(latest, latest.effect())
        .without("effect")
        .with("arm", arm)
        .with("verdictText", Wording.verdict(latest.verdict()))
        .with("guaranteeText", Wording.guarantee(latest.guarantee()));
  }

  /** Returns a group with its mean, null before its first reward. */
  static Json mean(GroupMean group) {
    return Json.of(group).with("mean", group.rewards() == 0 ? null : (Double) group.mean());
  }

  private Json group(GroupMean group) {
    Double deviation = segment.allRewards(last).deviation();
    Double half =
        group.rewards() == 0 || deviation == null
            ? null
            : (Double) (SampleMoments.Z95 * deviation / Math.sqrt((double) group.rewards()));
    return mean(group)
        .with("lower", half == null ? null : (Double) (group.mean() - half))
        .with("upper", half == null ? null : (Double) (group.mean() + half));
  }
}
