package io.equipoise.audit.verify;

import org.jspecify.annotations.Nullable;

/**
 * What an audit says of one invariant.
 *
 * @param judged how many things were looked at: contexts, rewards, snapshots, records, ...
 * @param violations how many of them violate it
 * @param offender names the first one that violates it, or could not be judged; null if none
 * @param why the fact behind it; where all is well, what was measured, or null
 */
public record Finding(
    Invariant invariant,
    Verdict verdict,
    long judged,
    long violations,
    @Nullable String offender,
    @Nullable String why) {

  /** How an invariant was found. */
  public enum Verdict {
    OK,
    VIOLATED,
    /** Something that was asked for could not be judged, and nothing else violates it. */
    NOT_JUDGED
  }
}
