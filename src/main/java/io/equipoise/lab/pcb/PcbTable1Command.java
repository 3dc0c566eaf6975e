package io.equipoise.lab.pcb;

import io.equipoise.cli.Version;
import io.equipoise.lab.report.Figure;
import io.equipoise.lab.report.Publication;
import io.equipoise.lab.report.ReplicationReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Replicates Table 1 of Huang and Wu: estimates and bounds from a log of 30 000 points. */
@Command(
    name = "pcb-table1",
    description = {
      "Estimates and bounds of 16 effects from logs that are confounded and selected.",
      "A log has the paper's 30000 points; the default is --trials 200 logs."
    },
    mixinStandardHelpOptions = true)
public final class PcbTable1Command implements Callable<Integer> {
  private static final int LOGS = 200;

  @Mixin private final Options options = new Options();

  @Override
  public Integer call() throws IOException {
    options.check();
    int logs = options.trials(LOGS);
    SampledColumns columns;
    try (ProgressBar bar = Publication.progress("pcb-table1", logs)) {
      columns = SampledColumns.draw(new LoggedWorld(), logs, options.firstSeed(), bar::step);
    }
    Table1Checks checks = new Table1Checks(columns);
    return options
        .publication()
        .publish(
            new ReplicationReport(
                "pcb-table1",
                settings(logs),
                options.firstSeed(),
                Version.current(),
                rows(columns),
                checks.checks(),
                checks.skipped()),
            () -> List.of(figure(columns)));
  }

  private static Map<String, Object> settings(int logs) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("trials", logs);
    settings.put("points", LoggedWorld.POINTS);
    settings.put("truths", TwoTruths.SENTENCE);
    return settings;
  }

  private static List<Map<String, @Nullable Object>> rows(SampledColumns columns) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      Map<String, @Nullable Object> row = row(place);
      for (Column column : Column.values()) {
        ReplicationReport.put(row, column.wire(), columns.sample(column, place));
      }
      rows.add(row);
    }
    return rows;
  }

  /** Starts a row with the levels of a place. */
  static Map<String, @Nullable Object> row(int place) {
    Map<String, Integer> levels = PcbPlace.levels(place);
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    for (String name : List.of("X1", "X2", "U1", "U2")) {
      row.put(name.toLowerCase(Locale.ROOT), levels.get(name));
    }
    return row;
  }

  private static Figure figure(SampledColumns columns) {
    Figure figure = new Figure("table1", "Table 1: means over logs", "row", "E[Y | do(x), u]");
    double[] x = new double[PcbPlace.PLACES];
    for (int place = 0; place < x.length; place++) {
      x[place] = place + 1.0;
    }
    for (Column column : Column.values()) {
      double[] y = new double[x.length];
      for (int place = 0; place < x.length; place++) {
        y[place] = columns.sample(column, place).mean();
      }
      figure.curve(column.wire(), x, y);
    }
    return figure;
  }
}
