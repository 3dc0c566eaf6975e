package io.equipoise.segment.state;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.ErrorCode;
import io.equipoise.policy.CausalBoundTable;

/** Holds the result of checking a set of causal bounds under one spec. */
public sealed interface ValidatedBounds {
  CausalBoundSet set();

  /** Holds a set that the spec's policy can clip into. */
  record Usable(CausalBoundSet set, CausalBoundTable table) implements ValidatedBounds {}

  /** Holds a set that the spec cannot use; {@code row} is the first row that shows why. */
  record Refused(CausalBoundSet set, ErrorCode code, String why, CausalBound row)
      implements ValidatedBounds {}
}
