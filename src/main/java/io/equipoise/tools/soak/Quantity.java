package io.equipoise.tools.soak;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The measured quantities, and how much each may grow: a share of its median or an absolute amount,
 * whichever is larger. An amount per new segment is added, because passivated segments stay.
 */
enum Quantity {
  HEAP("heap after GC", "MB", 1e6, ResourceSample::heapBytes, 0.10, 8e6, 1_000),
  STATE("state", "MB", 1e6, ResourceSample::stateBytes, 0.10, 2e5, 300),
  CHECKPOINT("checkpoint", "ms", 1, ResourceSample::checkpointMillis, 0.50, 200, 0),
  THREADS("threads", "", 1, ResourceSample::threads, 0, 5, 0),
  FILES("open files", "", 1, ResourceSample::files, 0.05, 20, 0),
  LAG("input lag", "", 1, ResourceSample::lag, 1, 5_000, 0);

  private final String words;
  private final String unit;
  private final double scale;

  @SuppressWarnings("ImmutableEnumChecker") // a reference to a component of a record
  private final ToDoubleFunction<ResourceSample> of;

  private final double share;
  private final double least;
  private final double perSegment;

  Quantity(
      String words,
      String unit,
      double scale,
      ToDoubleFunction<ResourceSample> of,
      double share,
      double least,
      double perSegment) {
    this.words = words;
    this.unit = unit;
    this.scale = scale;
    this.of = of;
    this.share = share;
    this.least = least;
    this.perSegment = perSegment;
  }

  /** Returns the label in the table, with the unit. */
  String title() {
    return unit.isEmpty() ? words : words + ", " + unit;
  }

  /** Returns the key in JSON. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  double of(ResourceSample resourceSample) {
    return of.applyAsDouble(resourceSample);
  }

  /** Converts a value to the unit of the table. */
  double shown(double value) {
    return value / scale;
  }

  /** Returns the allowed growth over a phase. */
  double allowance(double median, long newSegments) {
    return Math.max(share * median, least) + perSegment * newSegments;
  }
}
