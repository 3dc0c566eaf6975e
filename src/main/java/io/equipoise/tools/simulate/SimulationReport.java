package io.equipoise.tools.simulate;

import io.equipoise.cli.TextTable;
import io.equipoise.cli.report.Figure;
import io.equipoise.cli.report.HtmlPage;
import io.equipoise.cli.report.Sample;
import io.equipoise.event.Counted;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.OnRefuted;
import io.equipoise.tools.simulate.Simulation.GroupKey;
import io.equipoise.tools.simulate.SimulationRun.Pair;
import io.equipoise.tools.simulate.SimulationRun.Point;
import io.equipoise.tools.simulate.SimulationRun.Refutation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Prints the results of specs in one world as text, JSON and an HTML page.
 *
 * @param world what the world states, in a sentence
 */
record SimulationReport(SimulationSettings settings, String world, List<SimulationResult> results) {
  private static final int MOST_ARMS = 20;
  private static final int TIMES = 10;

  SimulationReport {
    results = List.copyOf(results);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("world", world);
    json.put("decisions", settings.decisions());
    json.put("perSecond", settings.perSecond());
    json.put("delaySeconds", settings.delaySeconds());
    json.put("answered", settings.answered());
    json.put("warnings", warnings());
    json.put("specs", results.stream().map(SimulationResult::json).toList());
    return json;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(setting());
    lines.addAll(bounds());
    lines.add("");
    lines.addAll(summary().lines());
    lines.addAll(falseCertificates());
    lines.addAll(warnings());
    for (SimulationResult result : results) {
      if (result.runs().stream().allMatch(run -> run.learned() == 0)) {
        lines.add(
            String.format(
                Locale.ROOT,
                "WARNING %s learned NO reward: %d decisions at %s a second last %.0f s of event"
                    + " time, join.reward-window is %d s",
                result.label(),
                settings.decisions(),
                Field.shown(settings.perSecond()),
                settings.decisions() / settings.perSecond(),
                result.spec().join().rewardWindow().toSeconds()));
      }
    }
    for (SimulationResult result : results) {
      lines.add("");
      lines.add(result.label() + ": first certificate by arm and attribute");
      lines.addAll(arms(result).lines());
      lines.add("");
      lines.add(result.label() + ": mean reward by group");
      lines.addAll(groups(result).lines());
      lines.add("");
      lines.add(result.label() + ": over time");
      lines.addAll(times(result).lines());
    }
    return lines;
  }

  private String setting() {
    return Counted.of(settings.decisions(), "decisions, ")
        + Counted.of(results.get(0).runs().size(), "runs of each spec, ")
        + world;
  }

  /** Returns a line for each spec that uses causal bounds. */
  private List<String> bounds() {
    return results.stream()
        .filter(result -> result.bounds() != null)
        .map(result -> result.label() + " plays " + result.bounds())
        .toList();
  }

  /** Returns a line for each spec that certified unfair decisions. */
  private List<String> falseCertificates() {
    List<String> lines = new ArrayList<>();
    for (SimulationResult result : results) {
      List<SimulationRun> runs = result.runs();
      if (result.falseCertificates() > 0) {
        lines.add(
            "%s: %s, in %d of %d runs; %s"
                .formatted(
                    result.label(),
                    Counted.of(
                        result.falseCertificates(),
                        "certified decisions are unfair (FALSE certificates)"),
                    runs.stream().filter(run -> run.falseCertificates() > 0).count(),
                    runs.size(),
                    refutations(result)));
      }
    }
    return lines;
  }

  /** Returns what ended certificates: the assumptions that rewards refuted first, and when. */
  private static String refutations(SimulationResult result) {
    List<Refutation> all =
        result.runs().stream().map(SimulationRun::refutation).filter(Objects::nonNull).toList();
    if (all.isEmpty()) {
      return "the rewards refuted no assumption";
    }
    boolean isWithheld = result.spec().fairness().onRefuted() != OnRefuted.IGNORE;
    return "the rewards refuted an assumption in %d of %d runs, first before decision %d%s: %s"
        .formatted(
            all.size(),
            result.runs().size(),
            all.stream().mapToInt(Refutation::decision).min().orElseThrow(),
            isWithheld ? ", and certificates are withheld from then on" : "",
            all.stream().map(Refutation::assumption).distinct().collect(Collectors.joining("; ")));
  }

  /** Returns the warnings of {@code check}. */
  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (SimulationResult result : results) {
      result
          .warnings()
          .forEach(warning -> warnings.add("WARNING " + result.label() + ": " + warning));
    }
    return warnings;
  }

  private TextTable summary() {
    TextTable table =
        new TextTable(
            "spec",
            "policy",
            "first certified decision",
            "runs with one",
            "certified",
            "fallback",
            "unfair",
            "regret",
            "mean reward",
            "learned");
    for (SimulationResult result : results) {
      Spread first = result.firstCertified();
      table.row(
          result.label(),
          result.spec().policy().name().wire(),
          first.shown(),
          first.reached() + " of " + first.runs(),
          percent(result.share(Point::certified).mean()),
          percent(result.share(Point::fallback).mean()),
          withError(result.total(Point::unfair)),
          withError(result.total(Point::regret)),
          decimals(result.share(Point::reward).mean()),
          String.format(
              Locale.ROOT,
              "%.0f",
              result.runs().stream().mapToInt(SimulationRun::learned).average().orElse(0)));
    }
    return table;
  }

  private static TextTable arms(SimulationResult result) {
    TextTable table =
        new TextTable("arm", "attribute", "played", "first certificate", "runs with one");
    List<Arm> arms = result.spec().arms().list();
    for (int arm = 0; arm < Math.min(MOST_ARMS, arms.size()); arm++) {
      for (String attribute : result.attributes()) {
        Spread first = result.firstCertificate(new Pair(arms.get(arm).id(), attribute));
        table.row(
            arms.get(arm).id(),
            attribute,
            percent(result.armShare(arm)),
            first.shown(),
            first.reached() + " of " + first.runs());
      }
    }
    if (arms.size() > MOST_ARMS) {
      table.row("... " + (arms.size() - MOST_ARMS) + " more in --json", "", "", "", "");
    }
    return table;
  }

  private static TextTable groups(SimulationResult result) {
    TextTable table = new TextTable("group", "mean reward");
    for (int group = 0; group < result.groups().size(); group++) {
      table.row(name(result.groups().get(group)), decimals(result.groupReward(group)));
    }
    return table;
  }

  private static TextTable times(SimulationResult result) {
    List<String> heading =
        new ArrayList<>(
            List.of("decisions", "regret", "unfair", "certified", "fallback", "mean reward"));
    result.groups().forEach(group -> heading.add(name(group)));
    TextTable table = new TextTable(heading.toArray(String[]::new));
    double[] decisions = result.curve(Point::decisions);
    double[] regret = result.curve(Point::regret);
    double[] unfair = result.curve(Point::unfair);
    double[] certified = result.windowed(Point::certified, Point::decisions);
    double[] fallback = result.windowed(Point::fallback, Point::decisions);
    double[] reward = result.windowed(Point::reward, Point::decisions);
    int step = Math.max(1, decisions.length / TIMES);
    for (int point = step - 1; point < decisions.length; point += step) {
      List<String> row = new ArrayList<>();
      row.add(String.format(Locale.ROOT, "%.0f", decisions[point]));
      row.add(String.format(Locale.ROOT, "%.1f", regret[point]));
      row.add(String.format(Locale.ROOT, "%.1f", unfair[point]));
      row.add(percent(certified[point]));
      row.add(percent(fallback[point]));
      row.add(decimals(reward[point]));
      for (int group = 0; group < result.groups().size(); group++) {
        row.add(decimals(result.groupCurve(group)[point]));
      }
      table.row(row.toArray(String[]::new));
    }
    return table;
  }

  /** Writes the tables and the curves. */
  void write(Path file) throws IOException {
    HtmlPage page = new HtmlPage("Simulation");
    page.paragraph(setting());
    bounds().forEach(page::paragraph);
    warnings().forEach(page::paragraph);
    page.table(summary());
    falseCertificates().forEach(page::paragraph);
    page.figure(
        figure("Regret", "sum of rewards lost to the best truly fair arm", Point::regret, false));
    page.figure(
        figure("Unfair decisions", "decisions with a true effect above tau", Point::unfair, false));
    page.figure(figure("Certified decisions", "share of decisions", Point::certified, true));
    page.figure(figure("Fallback decisions", "share of decisions", Point::fallback, true));
    for (SimulationResult result : results) {
      page.heading(result.label()).table(arms(result)).table(groups(result));
      page.table(times(result)).figure(groupFigure(result));
    }
    page.write(file);
  }

  private Figure figure(String title, String unit, ToDoubleFunction<Point> sum, boolean isShare) {
    Figure figure = new Figure(title, title, "decisions", unit);
    for (SimulationResult result : results) {
      double[] y = isShare ? result.windowed(sum, Point::decisions) : result.curve(sum);
      figure.curve(result.label(), result.curve(Point::decisions), y);
    }
    return figure;
  }

  private static Figure groupFigure(SimulationResult result) {
    Figure figure = new Figure("groups", "Mean reward by group", "decisions", "mean reward");
    double[] decisions = result.curve(Point::decisions);
    figure.curve("all", decisions, result.windowed(Point::reward, Point::decisions));
    for (int group = 0; group < result.groups().size(); group++) {
      figure.curve(name(result.groups().get(group)), decisions, result.groupCurve(group));
    }
    return figure;
  }

  private static String name(GroupKey group) {
    return group.attribute() + "=" + group.level();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static String decimals(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.4f", value);
  }

  private static String withError(Sample sample) {
    return String.format(Locale.ROOT, "%.1f +- %.1f", sample.mean(), sample.error());
  }
}
