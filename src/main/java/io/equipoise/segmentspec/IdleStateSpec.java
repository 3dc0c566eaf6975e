package io.equipoise.segmentspec;

import java.time.Duration;

/**
 * When a segment that gets no input any more gives up its state, and what it keeps.
 *
 * @param after event time since its last context or reward; longer than any decision is remembered
 */
public record IdleStateSpec(Duration after, Retain retain) {

  /** What a segment at rest keeps, besides its place in the log and its ledgers. */
  public enum Retain implements Word {
    /** All it has learned, packed: it goes on from there, bit for bit. */
    MODEL,
    /** Nothing: it starts empty when it comes back. */
    NONE
  }
}
