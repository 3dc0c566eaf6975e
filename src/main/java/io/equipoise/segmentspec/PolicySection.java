package io.equipoise.segmentspec;

import org.jspecify.annotations.Nullable;

/**
 * Holds the section {@code policy} as it was written, with the variables, arms and reward that its
 * settings may refer to. A {@link Field} knows its path and line; its methods return null after
 * they have reported a fault.
 *
 * @param fields the keys of the section
 * @param variables those of the spec; some may have faults
 * @param arms null after a fault in them
 * @param reward null after a fault in it
 */
public record PolicySection(
    Section fields, VariableTable variables, @Nullable Arms arms, @Nullable RewardRule reward) {

  /** Returns the value of a key, or null if the section does not have it. */
  public @Nullable Field get(String key) {
    return fields.get(key);
  }

  /** Returns this with the keys that the family of a policy declares. */
  public PolicySection of(SpecKeys family, PolicyName name) {
    return new PolicySection(fields.ofPolicy(family, name.wire()), variables, arms, reward);
  }

  /** Reads {@code causal-bounds}; null after a fault, and if there are none. */
  public @Nullable CausalBoundsSpec causalBounds() {
    Section section = fields.section("causal-bounds");
    if (section == null) {
      return null;
    }
    String name = section.text("name");
    OnRefutation refuted = section.word("on-refutation", OnRefutation.class);
    double delta = section.number("delta");
    return name == null || refuted == null || !section.isSound()
        ? null
        : new CausalBoundsSpec(name, refuted, delta);
  }

  /** Reads {@code ties}: the lowest arm unless the section says otherwise. */
  public @Nullable Ties ties() {
    return fields.word("ties", Ties.class);
  }
}
