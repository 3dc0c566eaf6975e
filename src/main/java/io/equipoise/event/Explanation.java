package io.equipoise.event;

/** Explains one change of a segment, with the change's seq and writer epoch. */
public sealed interface Explanation extends PlacedOutput permits FairnessAudit, ExperimentRecord {}
