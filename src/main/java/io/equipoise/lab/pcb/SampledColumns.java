package io.equipoise.lab.pcb;

import io.equipoise.lab.Parallel;
import io.equipoise.lab.report.Sample;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The columns of Table 1 of many logs, and of the population. */
final class SampledColumns {
  private final double selectedShare;
  private final Map<Column, double[]> population;
  private final List<LogColumns> logs;

  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record LogColumns(double selectedRows, Map<Column, double[]> values) {}

  private SampledColumns(LoggedWorld world, List<LogColumns> logs) {
    selectedShare = world.selected();
    population = columns(world, world.exact());
    this.logs = logs;
  }

  /** Draws logs; {@code onDone} is called after each, from several threads. */
  static SampledColumns draw(LoggedWorld world, int logs, long firstSeed, Runnable onDone) {
    return new SampledColumns(
        world,
        Parallel.trials(
            logs,
            trial -> {
              LoggedRounds loggedRounds =
                  world.sample(Streams.LOG.of(firstSeed + trial), LoggedWorld.POINTS);
              return new LogColumns(loggedRounds.selected().total(), columns(world, loggedRounds));
            },
            onDone));
  }

  private static Map<Column, double[]> columns(LoggedWorld world, LoggedRounds loggedRounds) {
    Map<Column, double[]> columns = new EnumMap<>(Column.class);
    for (Column column : Column.values()) {
      columns.put(column, column.of(world, loggedRounds));
    }
    return columns;
  }

  int logs() {
    return logs.size();
  }

  /** Returns P(S = 1). */
  double selectedShare() {
    return selectedShare;
  }

  List<Double> selectedRows() {
    return logs.stream().map(LogColumns::selectedRows).toList();
  }

  double[] population(Column column) {
    return of(population, column);
  }

  List<Double> values(Column column, int place) {
    List<Double> values = new ArrayList<>();
    logs.forEach(log -> values.add(of(log.values(), column)[place]));
    return values;
  }

  Sample sample(Column column, int place) {
    return Sample.of(values(column, place));
  }

  private static double[] of(Map<Column, double[]> columns, Column column) {
    double[] values = columns.get(column);
    if (values == null) {
      throw new IllegalArgumentException("no column " + column);
    }
    return values;
  }
}
