package io.equipoise.event;

import java.util.Map;

/**
 * Bounds the mean reward of one arm in one context: a row of a set of causal bounds. {@code
 * avro/CausalBound.avsc} documents the meaning and unit of every component. The context is copied
 * and iterates in the order of its names. {@link CausalBoundSet} makes complete sets.
 */
public record CausalBound(
    BoundSetHeader set,
    String arm,
    Map<String, String> context,
    double lower,
    double upper,
    BoundEvidence evidence) {

  public CausalBound {
    context = NameMap.copyOf(context);
  }

  /** Returns a copy for another set. */
  CausalBound in(BoundSetHeader set) {
    return new CausalBound(set, arm, context, lower, upper, evidence);
  }
}
