package io.equipoise.audit.verify;

import org.jspecify.annotations.Nullable;

/**
 * Reports the result of one invariant.
 *
 * @param checked number of contexts, rewards, snapshots, records, ... that were checked
 * @param violations how many of them violate the invariant
 * @param offender the first that violates it or could not be checked; null if none
 * @param why the reason; for a passed check the measurement, or null
 */
public record Finding(
    Invariant invariant,
    Verdict verdict,
    long checked,
    long violations,
    @Nullable String offender,
    @Nullable String why) {

  /** Grades the result of a check. */
  public enum Verdict {
    OK,
    VIOLATED,
    /** A requested check could not be done, and no violation was found. */
    NOT_CHECKED
  }
}
