package io.equipoise.tools;

import io.equipoise.policy.SeededRandom;

/**
 * Draws the random numbers of a round from a seed, except those of the campaign; the same for every
 * segment.
 */
public record TrafficChance(long seed) {
  /** Returns the uniform number in [0, 1) of a question and a round. */
  public double of(String question, long round) {
    return new SeededRandom(seed, question, Long.toString(round)).uniform(SeededRandom.Purpose.TIE);
  }

  /** Returns true with a probability. */
  public boolean happens(String question, long round, double probability) {
    return of(question, round) < probability;
  }
}
