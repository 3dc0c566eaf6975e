package io.equipoise.bandit.csr;

/** What an experiment is told. Times are event times in milliseconds. */
public sealed interface Event {
  /**
   * Someone came and must be answered.
   *
   * @param group {@link CsrModel#S}, {@link CsrModel#S_PRIME}, or {@link CsrModel#UNKNOWN_GROUP}
   * @param cell the number of z, or -1 if part of it is not known
   */
  record ContextArrived(String id, long time, int group, int cell) implements Event {}

  /** The level of V of an earlier decision was seen, before its reward. */
  record LevelObserved(String id, int level) implements Event {}

  /**
   * The reward of an earlier decision came.
   *
   * @param level of V, or -1 if it was observed before
   */
  record OutcomeArrived(String id, long time, int level, double reward) implements Event {}

  /** No outcome up to this time will be told any more: windows that end by then close. */
  record TimePassed(long time) implements Event {}

  /** The experiment shall end without an answer. */
  record Abort(String reason) implements Event {}
}
