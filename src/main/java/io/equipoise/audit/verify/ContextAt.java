package io.equipoise.audit.verify;

import io.equipoise.event.ContextEvent;

/** Distinguishes the results of looking up the origin of a decision. */
sealed interface ContextAt {

  /** A context; the replay checks whether it is the decision's. */
  record Here(ContextEvent context) implements ContextAt {}

  /** The origin is before the first offset that retention or the savepoint kept. */
  record Gone() implements ContextAt {}

  /**
   * There is no context at the origin.
   *
   * @param what the reason, as a predicate for findings
   */
  record Missing(String what) implements ContextAt {}
}
