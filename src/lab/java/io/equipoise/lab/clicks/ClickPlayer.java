package io.equipoise.lab.clicks;

import io.equipoise.tools.simulate.Person;

/**
 * Chooses arms and learns from clicks.
 *
 * @param <M> what it remembers of a decision until its reward comes
 */
public interface ClickPlayer<M> {
  /**
   * Holds a choice.
   *
   * @param arm its place among the arms of the spec
   * @param certified whether every effect of the arm is certified to be within tau
   */
  record Played<M>(int arm, boolean certified, M remembered) {}

  /** Gets the next person before the clock starts, to write the request of a caller. */
  default void prepare(Person person, int[] offered) {}

  /**
   * Chooses one of the offered arms.
   *
   * @param round from 0
   * @param offered places among the arms of the spec
   */
  Played<M> choose(int round, Person person, int[] offered);

  /** Takes back the last choice, which was not shown. */
  default void takeBack() {}

  /** Learns the reward of a decision, 0 or 1. */
  void learn(M remembered, double reward);
}
