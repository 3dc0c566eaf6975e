package io.equipoise.lab.pcb;

import io.equipoise.lab.pcb.CausalBounds.Interval;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Computes a column of Table 1: a number of each place of a log. The paper prints all but the last
 * three.
 */
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

  static Map<Column, double[]> all(LoggedWorld world, LoggedRounds log) {
    Map<Column, double[]> columns = new EnumMap<>(Column.class);
    for (Column column : values()) {
      columns.put(column, column.of(world, log));
    }
    return columns;
  }
}
