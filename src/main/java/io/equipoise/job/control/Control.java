package io.equipoise.job.control;

/**
 * What reaches every subtask: a spec's text, or a row of causal bounds, each from its own topic.
 */
public sealed interface Control permits SpecText, CausalBoundRecord {
  /** Returns the record that was read. */
  RawControl raw();
}
