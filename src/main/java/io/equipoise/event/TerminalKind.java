package io.equipoise.event;

/** Says how an experiment ended. */
public enum TerminalKind {
  /** An arm was found, and is served. */
  BEST_FAIR_ARM,
  /** No arm was found; the incumbent is served. */
  NO_FAIR_ARM,
  /** Its spec was retired, replaced or says that it shall end; the incumbent is served. */
  ABORTED
}
