package io.equipoise.job.control;

/** Carries a control record to every subtask: a spec's text, or a row of causal bounds. */
public sealed interface Control permits SpecText, CausalBoundRecord {
  /** Returns the record that was read. */
  RawControl raw();
}
