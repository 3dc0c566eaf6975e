package io.equipoise.tools.simulate;

import io.equipoise.cli.TextTable;
import io.equipoise.cli.report.Figure;
import io.equipoise.cli.report.HtmlPage;
import io.equipoise.job.check.CertificatePlan;
import io.equipoise.job.check.CertificatePlan.People;
import io.equipoise.job.check.CertificatePlan.PlanRow;
import io.equipoise.job.check.CertificatePlan.Remedy;
import io.equipoise.job.check.CheckReport;
import io.equipoise.job.check.CheckpointBudget;
import io.equipoise.job.check.CheckpointBudget.Load;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.SegmentSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints the plan of one spec as text, JSON and HTML.
 *
 * @param people as the plan assumes them
 * @param plan null if the policy has no forecast
 */
record PlanReport(CompiledSpec compiled, People people, @Nullable CertificatePlan plan, Load load) {
  private static final double SECONDS_A_DAY = 86_400;
  private static final double[] STEPS = {1, 2, 5};
  private static final int CURVE_POINTS = 60;

  private SegmentSpec spec() {
    return compiled.spec();
  }

  private List<String> warnings() {
    return CheckReport.warnings(compiled, people);
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(spec().name() + ": " + spec().policy().name().wire());
    if (plan == null) {
      lines.add("  no forecast: " + reason());
    } else {
      lines.add("  " + plan.summary(load.ratePerSegment()));
      plan.ellipsoid().ifPresent(line -> lines.add("  " + line));
      indent(pairs(plan), lines);
      lines.add("  fallback decisions over time:");
      indent(fallback(plan), lines);
      lines.add("  what would help the pair that needs most:");
      indent(remedies(plan), lines);
      lines.add("  " + advice(plan));
    }
    lines.addAll(room());
    warnings().forEach(warning -> lines.add("  WARNING " + warning));
    return lines;
  }

  private static void indent(TextTable table, List<String> lines) {
    table.lines().forEach(line -> lines.add("    " + line));
  }

  private String reason() {
    return spec().variables().sensitive().isEmpty()
        ? "the spec has no sensitive attribute"
        : CertificatePlan.whyNone(compiled.policy())
            .orElse(
                "policy %s has no certificates that can be forecast; simulate plays it"
                    .formatted(spec().policy().name().wire()));
  }

  private TextTable pairs(CertificatePlan plan) {
    TextTable table =
        new TextTable(
            "attribute", "levels", "rarest", "first arm", "9 of 10", "days", "each further arm");
    for (PlanRow row : plan.rows()) {
      table.row(
          row.attribute(),
          row.one() + ", " + row.other(),
          percent(row.rarest()),
          CertificatePlan.rounded(row.median()),
          CertificatePlan.rounded(row.ninetyPercent()),
          days(row.median()),
          CertificatePlan.rounded(row.further()));
    }
    return table;
  }

  private TextTable fallback(CertificatePlan plan) {
    TextTable table = new TextTable("decisions", "days", "fallback");
    for (double decisions : times(plan)) {
      table.row(
          String.format(Locale.ROOT, "%.0f", decisions),
          days(decisions),
          percent(plan.fallbackShare(decisions)));
    }
    return table;
  }

  /** Returns 1, 2, 5 times powers of ten around the forecast. */
  private static List<Double> times(CertificatePlan plan) {
    double median = Math.min(plan.slowest().median(), CertificatePlan.HOPELESS);
    List<Double> times = new ArrayList<>();
    for (double unit = 100; unit <= 1e6; unit *= 10) {
      for (double step : STEPS) {
        double decisions = unit * step;
        if (decisions >= median / 10 && decisions <= median * 10) {
          times.add(decisions);
        }
      }
    }
    return times;
  }

  private static TextTable remedies(CertificatePlan plan) {
    TextTable table = new TextTable("change", "first arm", "each further arm");
    PlanRow now = plan.slowest();
    table.row(
        "as it is", CertificatePlan.rounded(now.median()), CertificatePlan.rounded(now.further()));
    for (Remedy remedy : plan.remedies()) {
      table.row(
          remedy.change(),
          CertificatePlan.rounded(remedy.first()),
          CertificatePlan.rounded(remedy.further()));
    }
    return table;
  }

  private static String advice(CertificatePlan plan) {
    return plan.cheapest()
        .map(
            remedy ->
                "the cheapest change that halves it: %s (%s decisions)"
                    .formatted(remedy.change(), CertificatePlan.rounded(remedy.first())))
        .orElse("no single change of these halves it");
  }

  private List<String> room() {
    CheckpointBudget budget = CheckpointBudget.of(spec(), compiled.policy(), load);
    double evicted = load.evicted(spec().join());
    return List.of(
        String.format(
            Locale.ROOT,
            "  memory: %.1f kB of model and %.0f pending decisions, %.1f MB a segment at %s"
                + " decisions a second%s",
            budget.modelBytes() / 1e3,
            load.waiting(spec().join()),
            budget.totalBytes() / 1e6,
            Field.shown(load.ratePerSegment()),
            evicted > 0
                ? String.format(
                    Locale.ROOT, "; %.0f decisions are evicted: raise join.max-pending", evicted)
                : ""));
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", spec().name());
    json.put("policy", spec().policy().name().wire());
    json.put("warnings", warnings());
    json.put("evictedDecisions", load.evicted(spec().join()));
    json.put("checkpointBytes", CheckpointBudget.of(spec(), compiled.policy(), load).totalBytes());
    if (plan == null) {
      json.put("noForecast", reason());
      return json;
    }
    List<Object> rows = new ArrayList<>();
    for (PlanRow row : plan.rows()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("attribute", row.attribute());
      one.put("levels", List.of(row.one(), row.other()));
      one.put("rarestShare", row.rarest());
      one.put("firstArm", known(row.median()));
      one.put("firstArmNinetyPercent", known(row.ninetyPercent()));
      one.put("furtherArm", known(row.further()));
      rows.add(one);
    }
    json.put("pairs", rows);
    List<Object> times = new ArrayList<>();
    for (double decisions : times(plan)) {
      times.add(Map.of("decisions", decisions, "fallbackShare", plan.fallbackShare(decisions)));
    }
    json.put("fallback", times);
    List<Object> remedies = new ArrayList<>();
    for (Remedy remedy : plan.remedies()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("change", remedy.change());
      one.put("firstArm", known(remedy.first()));
      one.put("furtherArm", known(remedy.further()));
      remedies.add(one);
    }
    json.put("remedies", remedies);
    json.put("cheapest", plan.cheapest().map(Remedy::change).orElse(null));
    return json;
  }

  /** Returns null for never. */
  private static @Nullable Double known(double decisions) {
    return decisions >= CertificateForecast.NEVER ? null : decisions;
  }

  /** Writes one page for all specs. */
  static void write(List<PlanReport> reports, Path file) throws IOException {
    HtmlPage page = new HtmlPage("Certificate plan");
    for (PlanReport report : reports) {
      page.heading(report.spec().name());
      if (report.plan() == null) {
        page.paragraph("No forecast: " + report.reason() + ".");
      } else {
        page.paragraph(report.plan().summary(report.load().ratePerSegment()));
        report.plan().ellipsoid().ifPresent(page::paragraph);
        page.table(report.pairs(report.plan()));
        page.figure(curve(report.plan())).table(remedies(report.plan()));
        page.paragraph(advice(report.plan()));
      }
      report.room().forEach(page::paragraph);
      report.warnings().forEach(page::paragraph);
    }
    page.write(file);
  }

  private static Figure curve(CertificatePlan plan) {
    double most = 3 * Math.min(plan.slowest().ninetyPercent(), CertificatePlan.HOPELESS);
    double[] decisions = new double[CURVE_POINTS];
    double[] share = new double[CURVE_POINTS];
    for (int i = 0; i < CURVE_POINTS; i++) {
      decisions[i] = most * (i + 1) / CURVE_POINTS;
      share[i] = plan.fallbackShare(decisions[i]);
    }
    return new Figure("fallback", "Fallback decisions", "decisions", "share of decisions")
        .curve("fallback", decisions, share);
  }

  private String days(double decisions) {
    double days = decisions / load.ratePerSegment() / SECONDS_A_DAY;
    return decisions >= CertificateForecast.NEVER
        ? "never"
        : String.format(Locale.ROOT, days < 10 ? "%.2g" : "%.0f", days);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
