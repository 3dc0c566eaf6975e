package io.equipoise.lab.pcb;

import java.util.List;
import java.util.Locale;

/** The numbers that are known of each place in the population; all but the last three published. */
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

  /** Its name in the reference. */
  String key() {
    return key;
  }

  /** Returns the column's name in reports. */
  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the column of a log, by place. */
  double[] of(LoggedWorld world, LoggedRounds loggedRounds) {
    return switch (this) {
      case CP -> PointEstimates.CP.of(loggedRounds);
      case BIASED -> PointEstimates.BIASED.of(loggedRounds);
      case PRINTED -> PointEstimates.PRINTED_TRUTH.of(loggedRounds);
      case LOWER -> ends(CausalBounds.TABLE1.of(loggedRounds), true);
      case UPPER -> ends(CausalBounds.TABLE1.of(loggedRounds), false);
      case SOUND_LOWER -> ends(CausalBounds.SOUND_POOLED.of(loggedRounds), true);
      case SOUND_UPPER -> ends(CausalBounds.SOUND_POOLED.of(loggedRounds), false);
      case TRUTH -> world.truth();
    };
  }

  private static double[] ends(List<Interval> intervals, boolean isLower) {
    return intervals.stream().mapToDouble(it -> isLower ? it.lower() : it.upper()).toArray();
  }
}
