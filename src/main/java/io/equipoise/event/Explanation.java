package io.equipoise.event;

/** A record that explains one change of a segment. It carries the change's seq and writer. */
public sealed interface Explanation permits FairnessAudit, ExperimentRecord {
  /** Returns the name of the segment. */
  String segment();

  /** Returns the attempt of the job that wrote the change. */
  int writerEpoch();

  /** Returns the seq of the change. */
  long seq();
}
