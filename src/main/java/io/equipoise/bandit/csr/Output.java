package io.equipoise.bandit.csr;

/** What an experiment says. */
public sealed interface Output {
  /**
   * The answer to a context.
   *
   * @param phase the place of its phase in the plan, -1 if it is not counted
   * @param type the number of its {@link PullType}, -1 if it is not counted
   * @param isRepeat whether the context had been answered before; the answer is the same
   */
  record Decided(String id, Role role, int arm, int phase, int type, boolean isRepeat)
      implements Output {}

  /** A pull is done with: its outcome came, or its window closed. */
  record Settled(String id, int phase, Settlement how) implements Output {}

  /** An outcome or level that changes nothing. */
  record Ignored(String id, Reason reason) implements Output {}

  /** An event that cannot be used, for the dead letter; it changes nothing. */
  record Refused(String id, String reason) implements Output {}

  /** A phase was closed. */
  record PhaseClosed(PhaseRecord phase) implements Output {}

  /** The experiment is over. */
  record Ended(TerminalRecord result) implements Output {}

  /** How a pull was done with. */
  enum Settlement {
    /** Its outcome counts in its own phase. */
    COUNTED,
    /** Its outcome counts in a later phase than it was pulled in. */
    COUNTED_LATE,
    /** Its window closed without an outcome. */
    MISSING,
    /** The experiment had ended. */
    AFTER_END
  }

  /** Why an outcome changes nothing. */
  enum Reason {
    /** No decision with this id is known, or it is too old. */
    UNKNOWN,
    /** It came again. */
    DUPLICATE,
    /** It belongs to a decision that is not counted. */
    NOT_COUNTED,
    /** It came after its window. */
    LATE
  }
}
