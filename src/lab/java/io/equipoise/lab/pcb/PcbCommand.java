package io.equipoise.lab.pcb;

import io.equipoise.cli.report.Figure;
import io.equipoise.lab.report.Checks;
import io.equipoise.lab.report.Replication;
import io.equipoise.lab.report.Row;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/**
 * Parses the option {@code --trials} of the replications of Huang and Wu, and writes the common
 * part of their reports.
 */
abstract class PcbCommand extends Replication {
  private static final int MAX_TRIALS = 10_000;

  /** Why the reports have two columns that are called the truth. */
  private static final String TRUTHS =
      "truth is E[Y | do(x), u] of the model, printed what the paper's column Truth turns out to"
          + " be: P(y | x1, x2) of unselected rows, which does not move with u1, while the effect"
          + " does by 1/6";

  @Option(
      names = "--trials",
      paramLabel = "N",
      description = "Independent trials, each with a log of its own.")
  private int given;

  /** Returns the given number of trials, or the default of the experiment. */
  final int trials(int byDefault) {
    return given == 0 ? byDefault : given;
  }

  @Override
  protected void check() {
    super.check();
    refuse(
        given < 0 || given > MAX_TRIALS,
        "--trials must be from 1 to " + MAX_TRIALS + ", not " + given);
  }

  /** Writes the report; the settings end with the note on the truths. */
  final int publish(Row settings, List<Row> rows, Checks checks, Figure... figures)
      throws IOException {
    return publish(settings.with("truths", TRUTHS), rows, checks, () -> List.of(figures));
  }

  /** Starts a row with the levels of a place. */
  static Row row(int place) {
    Map<String, Integer> levels = PcbPlace.levels(place);
    Row row = new Row();
    for (String name : List.of("X1", "X2", "U1", "U2")) {
      row.with(name.toLowerCase(Locale.ROOT), levels.get(name));
    }
    return row;
  }

  static double[] series(IntToDoubleFunction value) {
    return IntStream.range(0, PcbPlace.PLACES).mapToDouble(value).toArray();
  }

  /** Returns the numbers of the rows of Table 1. */
  static double[] axis() {
    return series(place -> place + 1.0);
  }
}
