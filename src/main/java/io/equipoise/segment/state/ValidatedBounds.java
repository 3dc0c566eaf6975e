package io.equipoise.segment.state;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.ErrorCode;
import io.equipoise.policy.CausalBoundTable;

/** A set of causal bounds as one spec sees it. */
public sealed interface ValidatedBounds {
  CausalBoundSet set();

  /** The spec's policy can clip into it. */
  record Usable(CausalBoundSet set, CausalBoundTable table) implements ValidatedBounds {}

  /** The spec cannot use it; {@code row} is the first that shows why. */
  record Refused(CausalBoundSet set, ErrorCode code, String why, CausalBound row)
      implements ValidatedBounds {}
}
