package io.equipoise.join.disclosure;

import io.equipoise.event.Hidden;
import io.equipoise.event.HiddenMode;
import org.jspecify.annotations.Nullable;

/**
 * How a deployment hides: the mode and its key.
 *
 * @param key null where only {@link HiddenMode#DROP} is wanted, and no dead letters
 */
record Stamp(HiddenMode mode, @Nullable DisclosureKey key) {
  private static final String DROPPED = "dropped";

  /** Returns what a record says of what was taken out of it. */
  Hidden hidden(PartWriter place, PartWriter taken) {
    return mode == HiddenMode.DROP ? new Hidden(mode, null, null) : sealed(place, taken);
  }

  /** Returns that with what was taken out encrypted, whatever the mode. */
  Hidden sealed(PartWriter place, PartWriter taken) {
    DisclosureKey with = requireKey();
    return new Hidden(mode, with.id(), with.seal(place.bytes(), taken.bytes()));
  }

  /** Returns what stands for a level of one person: its token, or nothing. */
  @Nullable String level(@Nullable String variable, @Nullable String level) {
    return level == null || mode == HiddenMode.DROP ? null : token(variable, level);
  }

  /** Returns what stands for the name of a level where there must be one. */
  String name(@Nullable String variable, String level) {
    return mode == HiddenMode.DROP ? DROPPED : token(variable, level);
  }

  private String token(@Nullable String variable, String level) {
    return requireKey().token(String.valueOf(variable), level);
  }

  private DisclosureKey requireKey() {
    if (key == null) {
      throw new IllegalStateException("tokens and sealed bytes need a key");
    }
    return key;
  }
}
