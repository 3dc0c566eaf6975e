package io.equipoise.cli;

import io.equipoise.segmentspec.Field;
import org.jspecify.annotations.Nullable;

/** Limits of numbers that several verbs take: within them no forecast overflows. */
public record NumberLimit(double least, double most) {
  /** Inputs a second of one segment: from practically none to a billion. */
  public static final NumberLimit RATE = new NumberLimit(1e-9, 1e9);

  /** Seconds until a reward comes: up to 31 years. */
  public static final NumberLimit DELAY = new NumberLimit(0, 1e9);

  /** The probability that a bound is wrong; 0, for no interval, is another choice. */
  public static final NumberLimit DELTA = new NumberLimit(1e-12, 1 - 1e-12);

  /** The confidence of an interval: one less a probability that it is wrong. */
  public static final NumberLimit CONFIDENCE = DELTA;

  /** A mean reward, as a share of the way from the least to the most. */
  public static final NumberLimit MEAN = new NumberLimit(1e-9, 1 - 1e-9);

  /** Returns whether a number is within the limits; NaN is not. */
  public boolean admits(double number) {
    return number >= least && number <= most;
  }

  /** Returns the error of an option beyond the limits, null if it is within. */
  public @Nullable String fault(String option, double number) {
    return admits(number)
        ? null
        : "%s must be from %s to %s".formatted(option, Field.shown(least), Field.shown(most));
  }
}
