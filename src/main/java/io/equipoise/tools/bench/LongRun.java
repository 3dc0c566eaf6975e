package io.equipoise.tools.bench;

/** A policy that decides, audits and learns, round after round. */
interface LongRun {
  void round();

  /** Returns the size of the state in a checkpoint, bytes. */
  int stateBytes();

  /** Returns whether all estimates are finite. */
  boolean isFinite();
}
