package io.equipoise.lab.pcb;

import io.equipoise.cli.report.Sample;
import io.equipoise.lab.pcb.CausalBounds.Interval;
import io.equipoise.lab.pcb.LoggedWorld.Streams;
import io.equipoise.simulation.Parallel;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** The columns of Table 1 of many logs, and of the population. */
final class SampledColumns {
  private final double selectedShare;
  private final Map<Column, double[]> population;
  private final List<LogColumns> logs;

  /** The numbers of each place; the paper prints all but the last three. */
  enum Column {
    CP("cp"),
    BIASED("biased"),
    LOWER("lower"),
    UPPER("upper"),
    PRINTED("printed"),
    SOUND_LOWER("soundLower"),
    SOUND_UPPER("soundUpper"),
    TRUTH("truth");

    static final List<Column> PUBLISHED = List.of(CP, BIASED, LOWER, UPPER, PRINTED);

    private final String key;

    Column(String key) {
      this.key = key;
    }

    /** Returns the name in the reference. */
    String key() {
      return key;
    }

    /** Returns the name in reports. */
    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the column of a log, by place. */
    double[] of(LoggedWorld world, LoggedRounds log) {
      return switch (this) {
        case CP -> PointEstimates.CP.of(log);
        case BIASED -> PointEstimates.BIASED.of(log);
        case PRINTED -> PointEstimates.PRINTED_TRUTH.of(log);
        case LOWER -> ends(CausalBounds.TABLE1.of(log), Interval::lower);
        case UPPER -> ends(CausalBounds.TABLE1.of(log), Interval::upper);
        case SOUND_LOWER -> ends(CausalBounds.SOUND_POOLED.of(log), Interval::lower);
        case SOUND_UPPER -> ends(CausalBounds.SOUND_POOLED.of(log), Interval::upper);
        case TRUTH -> world.truth();
      };
    }

    private static double[] ends(List<Interval> intervals, ToDoubleFunction<Interval> end) {
      return intervals.stream().mapToDouble(end).toArray();
    }
  }

  private record LogColumns(double selectedRows, Map<Column, double[]> values) {}

  /** Draws logs; calls {@code onDone} after each, from several threads. */
  SampledColumns(LoggedWorld world, int count, long firstSeed, Runnable onDone) {
    selectedShare = world.selected();
    population = columns(world, world.exact());
    logs =
        Parallel.trials(
            count,
            trial -> {
              LoggedRounds log = world.sample(Streams.LOG.of(firstSeed + trial));
              return new LogColumns(log.selected().total(), columns(world, log));
            },
            onDone);
  }

  private static Map<Column, double[]> columns(LoggedWorld world, LoggedRounds log) {
    Map<Column, double[]> columns = new EnumMap<>(Column.class);
    for (Column column : Column.values()) {
      columns.put(column, column.of(world, log));
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

  /** Returns the selected rows of the first log. */
  double selectedRows() {
    return logs.get(0).selectedRows();
  }

  double[] population(Column column) {
    return of(population, column);
  }

  List<Double> values(Column column, int place) {
    return logs.stream().map(log -> of(log.values(), column)[place]).toList();
  }

  Sample sample(Column column, int place) {
    return Sample.of(values(column, place));
  }

  private static double[] of(Map<Column, double[]> columns, Column column) {
    return Objects.requireNonNull(columns.get(column), column::wire);
  }
}
