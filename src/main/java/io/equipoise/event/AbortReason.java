package io.equipoise.event;

/** Why an experiment ended without a result. */
public enum AbortReason {
  /** The spec of the experiment was retired. */
  SPEC_RETIRED,
  /** Another spec was adopted by the segment. */
  SPEC_REPLACED,
  /** A newer version of the spec requested it. */
  REQUESTED
}
