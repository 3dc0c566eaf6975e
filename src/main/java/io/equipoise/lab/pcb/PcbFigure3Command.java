package io.equipoise.lab.pcb;

import io.equipoise.cli.Version;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Figure;
import io.equipoise.lab.report.Publication;
import io.equipoise.lab.report.ReplicationReport;
import io.equipoise.lab.report.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntToDoubleFunction;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Replicates Figure 3 of Huang and Wu, and counts how often bounds hold the truth. */
@Command(
    name = "pcb-figure3",
    description = {
      "Bounds of 16 effects from logs, and how often they contain the truth.",
      "The reference has --trials 1000 logs; the default is 300."
    },
    mixinStandardHelpOptions = true)
public final class PcbFigure3Command implements Callable<Integer> {
  private static final int LOGS = 300;
  private static final int FEWEST_LOGS = 50;

  /** Rows 3, 4, 7 and 8 of Table 1: (0, x2) in contexts with u1 = 1. */
  private static final List<Integer> EXCLUDED = List.of(2, 3, 6, 7);

  @Mixin private final Options options = new Options();

  @Override
  public Integer call() throws IOException {
    options.check();
    int logs = options.trials(LOGS);
    Coverage coverage;
    try (ProgressBar bar = Publication.progress("pcb-figure3", logs)) {
      coverage = Coverage.draw(new LoggedWorld(), logs, options.firstSeed(), bar::step);
    }
    List<Check> checks = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>();
    check(coverage, checks, skipped);
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("trials", logs);
    settings.put("points", LoggedWorld.POINTS);
    settings.put("truths", TwoTruths.SENTENCE);
    return options
        .publication()
        .publish(
            new ReplicationReport(
                "pcb-figure3",
                settings,
                options.firstSeed(),
                Version.current(),
                rows(coverage),
                checks,
                skipped),
            () -> figures(coverage));
  }

  private static List<Map<String, @Nullable Object>> rows(Coverage coverage) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (CausalBounds kind : Coverage.KINDS) {
      for (int place = 0; place < PcbPlace.PLACES; place++) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("bounds", kind.name());
        row.putAll(PcbTable1Command.row(place));
        row.put("truth", rounded(coverage.truth(place)));
        row.put("printed", rounded(coverage.printed(place)));
        ReplicationReport.put(row, "lower", coverage.sample(kind, place, Interval::lower));
        ReplicationReport.put(row, "upper", coverage.sample(kind, place, Interval::upper));
        ReplicationReport.put(row, "width", coverage.sample(kind, place, Interval::width));
        ReplicationReport.put(row, "holds_truth", coverage.holdsTruth(kind, place));
        ReplicationReport.put(row, "holds_printed", coverage.holdsPrinted(kind, place));
        rows.add(row);
      }
    }
    return rows;
  }

  private static double rounded(double value) {
    return Math.rint(1e6 * value) / 1e6;
  }

  /** Accepted shares, widened by three standard errors of the logs that were drawn. */
  private static void check(Coverage coverage, List<Check> checks, List<Skipped> skipped) {
    if (coverage.logs() < FEWEST_LOGS) {
      skipped.add(new Skipped("coverage", "fewer than " + FEWEST_LOGS + " logs say too little"));
      return;
    }
    for (int place : EXCLUDED) {
      String name = "TABLE1 holds truth, row " + (place + 1);
      checks.add(at(name, coverage.holdsTruth(CausalBounds.TABLE1, place), 0, .15));
    }
    checks.add(at("TABLE1 holds all", coverage.holdsAll(CausalBounds.TABLE1), 0, .01));
    checks.add(at("SOUND holds all", coverage.holdsAll(CausalBounds.SOUND), .25, .35));
    Sample pooled = coverage.holdsAll(CausalBounds.SOUND_POOLED);
    checks.add(at("SOUND_POOLED holds all", pooled, .84, .94));
    Sample corrected = coverage.holdsAll(CausalBounds.SOUND_POOLED_CI);
    checks.add(Check.of("SOUND_POOLED_CI holds all", corrected.mean(), .99, 1));
  }

  private static Check at(String name, Sample share, double least, double most) {
    double wider = share.standardError() == null ? 0 : 3 * share.standardError();
    return Check.of(name, share.mean(), Math.max(0, least - wider), Math.min(1, most + wider));
  }

  private static List<Figure> figures(Coverage coverage) {
    Figure published =
        new Figure("table1", "Figure 3: bounds of Table 1", "row", "E[Y | do(x), u]");
    draw(published, coverage, CausalBounds.TABLE1);
    published.curve("printed truth", axis(), series(coverage::printed));
    Figure sound = new Figure("sound", "Sound bounds, pooled", "row", "E[Y | do(x), u]");
    draw(sound, coverage, CausalBounds.SOUND_POOLED);
    return List.of(published, sound);
  }

  private static void draw(Figure figure, Coverage coverage, CausalBounds kind) {
    IntToDoubleFunction lower = place -> coverage.sample(kind, place, Interval::lower).mean();
    IntToDoubleFunction upper = place -> coverage.sample(kind, place, Interval::upper).mean();
    figure.curve("lower", axis(), series(lower));
    figure.curve("upper", axis(), series(upper));
    figure.curve("truth", axis(), series(coverage::truth));
  }

  private static double[] axis() {
    return series(place -> place + 1.0);
  }

  private static double[] series(IntToDoubleFunction value) {
    double[] series = new double[PcbPlace.PLACES];
    for (int place = 0; place < series.length; place++) {
      series[place] = value.applyAsDouble(place);
    }
    return series;
  }
}
