package io.equipoise.event;

/** A record that explains one change of a segment. It has the change's seq and writer epoch. */
public sealed interface Explanation extends PlacedOutput permits FairnessAudit, ExperimentRecord {}
