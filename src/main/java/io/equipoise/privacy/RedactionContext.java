package io.equipoise.privacy;

import io.equipoise.event.Redaction;
import io.equipoise.event.RedactionMode;
import org.jspecify.annotations.Nullable;

/**
 * How a deployment hides: the mode and its key.
 *
 * @param key null where only {@link RedactionMode#REDACT} is wanted, and no dead letters
 */
record RedactionContext(RedactionMode mode, @Nullable RedactionKey key) {
  /**
   * Stands for the name of a level where there must be one, in either mode: a token there would be
   * told by what stands beside it.
   */
  static final String DROPPED = "dropped";

  /** Returns what a record says of what was taken out of it. */
  Redaction redaction(PartWriter place, PartWriter taken) {
    return mode == RedactionMode.REDACT
        ? new Redaction(mode, null, null)
        : sealed(place, taken, Padding.ofRecord(taken.mostBytes()));
  }

  /** Returns what a dead letter says: what was taken out is encrypted, whatever the mode. */
  Redaction ofLetter(PartWriter place, PartWriter taken) {
    return sealed(place, taken, Padding.ofLetter(taken.mostBytes()));
  }

  private Redaction sealed(PartWriter place, PartWriter taken, int room) {
    RedactionKey with = requireKey();
    return new Redaction(mode, with.id(), with.seal(place.bytes(), taken.bytes(), room));
  }

  /** Returns what stands for a level of one person: its token, or nothing. */
  @Nullable String level(@Nullable String variable, @Nullable String level) {
    return level == null || mode == RedactionMode.REDACT
        ? null
        : requireKey().token(String.valueOf(variable), level);
  }

  private RedactionKey requireKey() {
    if (key == null) {
      throw new IllegalStateException("tokens and sealed bytes need a key");
    }
    return key;
  }
}
