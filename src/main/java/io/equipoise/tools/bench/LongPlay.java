package io.equipoise.tools.bench;

/** A policy that decides, audits and learns round after round, and never ends. */
interface LongPlay {
  void round();

  /** Returns the bytes that the state takes in a checkpoint. */
  int stateBytes();

  /** Says whether all estimates are finite. */
  boolean isFinite();
}
