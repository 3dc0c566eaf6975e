package io.equipoise.console.report;

import java.time.Instant;

/**
 * Limits a report to the records that were written to their topics within a period.
 *
 * @param from epoch ms, included
 * @param to epoch ms, excluded
 */
public record Period(long from, long to) {
  /** Checks the order. */
  public Period {
    if (to <= from) {
      throw new IllegalArgumentException(
          "the period ends at %s, not after its beginning %s; give a later end"
              .formatted(Instant.ofEpochMilli(to), Instant.ofEpochMilli(from)));
    }
  }

  boolean contains(long time) {
    return time >= from && time < to;
  }
}
