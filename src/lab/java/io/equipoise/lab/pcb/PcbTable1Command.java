package io.equipoise.lab.pcb;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.cli.report.Figure;
import io.equipoise.cli.report.Sample;
import io.equipoise.lab.Runs;
import io.equipoise.lab.pcb.LoggedWorld.Streams;
import io.equipoise.lab.report.Checks;
import io.equipoise.lab.report.Row;
import io.equipoise.simulation.Resources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;

/** Replicates Table 1 of Huang and Wu: estimates and bounds from a log of 30 000 points. */
@Command(
    name = "pcb-table1",
    description = {
      "Estimates and bounds of 16 effects from logs that are confounded and selected.",
      "A log has the paper's 30000 points; the default is --trials 200 logs."
    },
    mixinStandardHelpOptions = true)
public final class PcbTable1Command extends PcbCommand {
  private static final int LOGS = 200;
  private static final double EXACT = 1e-9;
  private static final double PUBLISHED = 4;
  private static final double FIRST = 5;
  private static final double MEAN = 4;
  private static final int FEWEST_LOGS = 30;

  @Override
  public Integer call() throws IOException {
    check();
    int logs = trials(LOGS);
    LoggedWorld world = new LoggedWorld();
    Runs<Column, double[]> columns;
    try (ProgressBar bar = progress(logs)) {
      columns = Runs.of(logs, trial -> Column.all(world, log(world, trial)), bar::step);
    }
    Figure figure = new Figure("table1", "Table 1: means over logs", "row", "E[Y | do(x), u]");
    for (Column column : Column.values()) {
      double[] means = series(place -> sample(columns, column, place).mean());
      figure.curve(column.wire(), axis(), means);
    }
    Row settings = new Row().with("trials", logs).with("points", LoggedWorld.POINTS);
    return publish(settings, rows(columns), checks(world, columns), figure);
  }

  private LoggedRounds log(LoggedWorld world, int trial) {
    return world.sample(Streams.LOG.of(firstSeed + trial));
  }

  private static Sample sample(Runs<Column, double[]> columns, Column column, int place) {
    return columns.sample(column, log -> log[place]);
  }

  private static List<Row> rows(Runs<Column, double[]> columns) {
    List<Row> rows = new ArrayList<>();
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      Row row = row(place);
      for (Column column : Column.values()) {
        row.with(column.wire(), sample(columns, column, place));
      }
      rows.add(row);
    }
    return rows;
  }

  /**
   * Compares with the published Table 1, and with the population values and spreads (delta method,
   * 30 000 points) of a computation that shares no code with this one. The published numbers, those
   * of the first log, and the means over all logs are compared in standard deviations.
   */
  private Checks checks(LoggedWorld world, Runs<Column, double[]> columns) {
    Checks checks = new Checks();
    Map<Column, double[]> population = Column.all(world, world.exact());
    JsonNode reference = Resources.json("/lab/pcb/reference.json").get("rows");
    double share = world.selected();
    double rows = LoggedWorld.POINTS * share;
    double spread = Math.sqrt(rows * (1 - share));
    checks.near("selected rows", log(world, 0).selected().total(), rows, 4 * spread);
    for (Column column : Column.values()) {
      double[] exact = population.get(column);
      double worst =
          worst(place -> Math.abs(exact[place] - number(reference, place, "population", column)));
      checks.add("exact " + column.wire(), worst, 0, EXACT);
    }
    int logs = columns.of(Column.TRUTH).size();
    boolean hasMeans = logs >= FEWEST_LOGS;
    for (Column column : Column.PUBLISHED) {
      double[] exact = population.get(column);
      double[] spreads = series(place -> number(reference, place, "sd", column));
      checks.add(
          "published z " + column.wire(),
          z(exact, spreads, place -> number(reference, place, "published", column)),
          0,
          PUBLISHED);
      checks.add(
          "first log z " + column.wire(),
          z(exact, spreads, place -> columns.of(column).get(0)[place]),
          0,
          FIRST);
      if (hasMeans) {
        double mean = z(exact, spreads, place -> sample(columns, column, place).mean());
        checks.add("mean z " + column.wire(), mean * Math.sqrt(logs), 0, MEAN);
      }
    }
    if (!hasMeans) {
      checks.skip("means", "fewer than " + FEWEST_LOGS + " logs say too little");
    }
    return checks;
  }

  private static double number(JsonNode reference, int place, String kind, Column column) {
    return reference.get(place).get(kind).get(column.key()).asDouble();
  }

  /** Returns the greatest distance from the exact values, in standard deviations. */
  private static double z(double[] exact, double[] spreads, IntToDoubleFunction value) {
    return worst(place -> Math.abs(value.applyAsDouble(place) - exact[place]) / spreads[place]);
  }

  /** Returns the greatest value of all places. */
  private static double worst(IntToDoubleFunction value) {
    return Arrays.stream(series(value)).max().orElseThrow();
  }
}
