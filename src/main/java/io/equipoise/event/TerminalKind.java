package io.equipoise.event;

/** Names how an experiment ended. */
public enum TerminalKind {
  /** A best fair arm was found; decisions use it. */
  BEST_FAIR_ARM,
  /** No fair arm was found; decisions use the control arm. */
  NO_FAIR_ARM,
  /** The spec was retired, replaced or requested the end; decisions use the control arm. */
  ABORTED
}
