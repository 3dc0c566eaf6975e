package io.equipoise.segmentspec;

import org.jspecify.annotations.Nullable;

/**
 * The section {@code policy} as it was written, with what its settings may refer to. A {@link
 * Field} knows its path and line; its methods return null after they have reported a fault.
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

  /** Reports a fault if the section has a key; returns whether it has. */
  public boolean refuses(String key, String allowed) {
    Field field = fields.get(key);
    if (field != null) {
      field.fault(allowed);
    }
    return field != null;
  }

  /**
   * Reads {@code causal-bounds}.
   *
   * @param isNeeded whether a section without them has a fault
   * @return null after a fault, and where there are none
   */
  public @Nullable CausalBoundsSpec causalBounds(boolean isNeeded) {
    Field field =
        isNeeded
            ? fields.require(
                "causal-bounds", "a mapping with the name: it clips into causal bounds")
            : fields.get("causal-bounds");
    return field == null ? null : CausalBoundsReader.read(field);
  }

  /** Reads {@code ties}: the lowest arm unless the section says otherwise. */
  public @Nullable Ties ties() {
    Field field = fields.get("ties");
    return field == null ? Ties.LOWEST : field.oneOf(Ties.values(), Ties::wire);
  }

  /** Reports a fault if ties are seeded but the policy always takes the lowest arm. */
  public boolean refusesSeeded(PolicyName name, @Nullable Ties ties) {
    return ties == Ties.SEEDED
        && refuses("ties", "lowest: so are ties of " + name.wire() + " broken");
  }

  /** Returns the number of a field, or the reward's scale; null after a fault in either. */
  public @Nullable Double scaleOr(@Nullable Field field) {
    return scaleOr(field, reward);
  }

  static @Nullable Double scaleOr(@Nullable Field field, @Nullable RewardRule reward) {
    if (field != null) {
      return field.positive(RewardRule.LARGEST);
    }
    return reward == null ? null : Double.valueOf(reward.scale());
  }
}
