package io.equipoise.segmentspec;

import java.time.Duration;

/**
 * Sets when a segment without input is passivated, and what it retains.
 *
 * @param after event time since its last context or reward; longer than any entry of a decision
 *     lasts
 */
public record IdleStateSpec(Duration after, Retain retain) {

  /** Names what a passivated segment retains besides its place in the log and its ledgers. */
  public enum Retain implements Word {
    /** All it has learned, packed: it continues from there, bit for bit. */
    MODEL,
    /** Nothing: it starts empty when it is activated. */
    NONE
  }
}
