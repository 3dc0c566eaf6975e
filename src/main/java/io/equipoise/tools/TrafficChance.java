package io.equipoise.tools;

import io.equipoise.policy.SeededRandom;

/** What chance brings to a round besides the campaign itself, the same for every segment. */
public record TrafficChance(long seed) {
  /** Returns a number in [0, 1) that belongs to a question and a round. */
  public double of(String question, long round) {
    return new SeededRandom(seed, question, Long.toString(round)).uniform(SeededRandom.Purpose.TIE);
  }

  /** Returns true with a probability. */
  public boolean happens(String question, long round, double probability) {
    return of(question, round) < probability;
  }
}
