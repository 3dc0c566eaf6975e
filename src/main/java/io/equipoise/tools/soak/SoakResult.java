package io.equipoise.tools.soak;

import io.equipoise.cli.TextTable;
import io.equipoise.lab.report.Figure;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The measurements of a soak, and whether anything grows. */
final class SoakResult {
  private final SoakPlan plan;
  private final List<ResourceSample> samples;
  private final List<ResourceSample> measured;
  private final List<Trend> trends;
  private final long contexts;

  SoakResult(SoakPlan plan, List<ResourceSample> samples, long contexts) {
    this.plan = plan;
    this.samples = List.copyOf(samples);
    this.contexts = contexts;
    double from = plan.warmUp().toMillis() / 1e3;
    this.measured =
        samples.stream().filter(resourceSample -> resourceSample.seconds() >= from).toList();
    this.trends =
        hasVerdict()
            ? Arrays.stream(Quantity.values()).map(one -> Trend.of(one, measured)).toList()
            : List.of();
  }

  /** Returns whether there are enough samples after the warm-up. */
  boolean hasVerdict() {
    return measured.size() >= Trend.FEWEST;
  }

  /** Returns whether no quantity grows. */
  boolean isFlat() {
    return hasVerdict() && trends.stream().allMatch(Trend::isFlat);
  }

  /** Returns the table with a heading. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    ResourceSample last = samples.get(samples.size() - 1);
    lines.add(
        String.format(
            Locale.ROOT,
            "%d contexts of %d segments in %.0f s (%.0f/s, %.1f new segments/s), %s",
            contexts,
            last.segments(),
            last.seconds(),
            contexts / last.seconds(),
            last.segments() / last.seconds(),
            rule(plan.keep())));
    if (!hasVerdict()) {
      lines.add(
          "no verdict: %d samples after the warm-up of %d s, %d are needed; increase --minutes"
              .formatted(measured.size(), plan.warmUp().toSeconds(), Trend.FEWEST));
      return lines;
    }
    TextTable table =
        new TextTable("", "start", "middle", "end", "per hour", "grew", "may grow", "verdict");
    for (Trend trend : trends) {
      Quantity of = trend.quantity();
      table.row(
          of.title(),
          number(of.shown(trend.start())),
          number(of.shown(trend.middle())),
          number(of.shown(trend.end())),
          number(of.shown(trend.perSecond() * 3600)),
          number(of.shown(trend.growth())),
          number(of.shown(trend.allowance())),
          trend.isFlat() ? "flat" : "GROWS");
    }
    lines.addAll(table.lines());
    long begun = last.segments() - measured.get(0).segments();
    lines.add(
        String.format(
            Locale.ROOT,
            "measured: %.0f s after a warm-up of %d s, %d samples, %d new segments; state grew by"
                + " %.0f B and heap by %.0f B for each",
            last.seconds() - measured.get(0).seconds(),
            plan.warmUp().toSeconds(),
            measured.size(),
            begun,
            growth(Quantity.STATE) / Math.max(1, begun),
            growth(Quantity.HEAP) / Math.max(1, begun)));
    return lines;
  }

  private double growth(Quantity quantity) {
    return trends.stream()
        .filter(trend -> trend.quantity() == quantity)
        .mapToDouble(Trend::growth)
        .sum();
  }

  private String rule(@Nullable Retain keep) {
    return keep == null
        ? "segments keep their state"
        : "idle segments retain %s after %d s".formatted(keep.wire(), plan.idleAfter().toSeconds());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.2f" : "%.0f", value);
  }

  /** Returns the result as JSON. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("verdict", hasVerdict() ? isFlat() ? "FLAT" : "GROWS" : "NOT_CHECKED");
    json.put("contexts", contexts);
    json.put("rate", plan.rate());
    json.put("churn", plan.churn());
    json.put("warmUpSeconds", plan.warmUp().toSeconds());
    json.put("retain", plan.keep() == null ? null : plan.keep().wire());
    Map<String, Object> quantities = new LinkedHashMap<>();
    for (Trend trend : trends) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("start", trend.start());
      one.put("middle", trend.middle());
      one.put("end", trend.end());
      one.put("perSecond", trend.perSecond());
      one.put("growth", trend.growth());
      one.put("allowance", trend.allowance());
      one.put("isFlat", trend.isFlat());
      quantities.put(trend.quantity().key(), one);
    }
    json.put("quantities", quantities);
    json.put("samples", samples);
    return json;
  }

  /** Draws every quantity over time, relative to its median. */
  Figure figure() {
    Figure figure = new Figure("soak", "soak", "seconds", "share of the median");
    double[] x = samples.stream().mapToDouble(ResourceSample::seconds).toArray();
    for (Quantity quantity : Quantity.values()) {
      double[] y = samples.stream().mapToDouble(quantity::of).toArray();
      double[] sorted = y.clone();
      Arrays.sort(sorted);
      double median = Math.max(1, sorted[sorted.length / 2]);
      figure.curve(quantity.title(), x, Arrays.stream(y).map(value -> value / median).toArray());
    }
    return figure;
  }
}
