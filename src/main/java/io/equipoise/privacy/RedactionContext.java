package io.equipoise.privacy;

import io.equipoise.event.Redaction;
import io.equipoise.event.RedactionMode;
import org.jspecify.annotations.Nullable;

/**
 * Combines the redaction mode of a deployment with its key.
 *
 * @param key null if only {@link RedactionMode#REDACT} without dead letters is used
 */
record RedactionContext(RedactionMode mode, @Nullable RedactionKey key) {
  /**
   * Replaces the required name of a level in both modes; fields beside it would identify a
   * pseudonym.
   */
  static final String DROPPED = "dropped";

  /** Returns the redaction of a record whose values were removed. */
  Redaction redaction(PartWriter place, PartWriter taken) {
    return mode == RedactionMode.REDACT
        ? new Redaction(mode, null, null)
        : encrypted(place, taken, Padding.ofRecord(taken.mostBytes()));
  }

  /** Returns the redaction of a dead letter; its values are encrypted in both modes. */
  Redaction ofDeadLetter(PartWriter place, PartWriter taken) {
    return encrypted(place, taken, Padding.ofDeadLetter(taken.mostBytes()));
  }

  private Redaction encrypted(PartWriter place, PartWriter taken, int room) {
    RedactionKey with = requireKey();
    return new Redaction(mode, with.id(), with.seal(place.bytes(), taken.bytes(), room));
  }

  /** Returns the replacement of one person's level: its pseudonym, or null. */
  @Nullable String level(@Nullable String variable, @Nullable String level) {
    return level == null || mode == RedactionMode.REDACT
        ? null
        : requireKey().token(String.valueOf(variable), level);
  }

  private RedactionKey requireKey() {
    if (key == null) {
      throw new IllegalStateException("pseudonyms and ciphertexts need a key");
    }
    return key;
  }
}
