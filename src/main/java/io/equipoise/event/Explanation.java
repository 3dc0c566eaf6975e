package io.equipoise.event;

/** A record that explains one change of a segment. It has the change's seq and writer epoch. */
public sealed interface Explanation extends SegmentOutput permits FairnessAudit, ExperimentRecord {
  /** Returns the name of the segment. */
  String segment();

  /** Returns the writer epoch of the change. */
  int writerEpoch();

  /** Returns the seq of the change. */
  long seq();
}
