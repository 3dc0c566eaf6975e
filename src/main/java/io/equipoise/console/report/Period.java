package io.equipoise.console.report;

import java.time.Instant;

/**
 * The period of a report, by the times at which records were written to their topics.
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
