package io.equipoise.audit.verify;

import io.equipoise.event.ContextEvent;

/** What stands at the origin of a decision. */
sealed interface ContextAt {

  /** A context; whether it is the decision's is for the replay to say. */
  record Here(ContextEvent context) implements ContextAt {}

  /** It stood before what retention, or the savepoint, left. */
  record Gone() implements ContextAt {}

  /**
   * What is there is no context.
   *
   * @param what it is instead
   */
  record Missing(String what) implements ContextAt {}
}
