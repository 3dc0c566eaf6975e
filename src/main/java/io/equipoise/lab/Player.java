package io.equipoise.lab;

import io.equipoise.lab.Environment.Answer;
import java.util.List;

/** A policy as a trial sees it. */
interface Player {
  /**
   * Chooses an arm for a person and one for each twin.
   *
   * @param t the round, 1 first
   * @return the person's arm, then those of the twins in their order
   */
  int[] choose(int[] person, List<Twin> twins, long t);

  /** Says whether the last choice had to do without a certified arm. */
  boolean fellBack();

  /** Learns from what the person's arm brought; twins bring nothing. */
  void learn(Round round, int arm, Answer answer, long t);
}
