package io.equipoise.join.disclosure;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Hidden;

/**
 * Dead letters: encrypts key, value and message, whatever the mode, for the originals must be had
 * again; in the message's place stands what its code says. A message names no values of attributes,
 * but it may quote names that the sender chose.
 *
 * <p>How long the original is tells a level where all else of a person is known from their
 * decision: letters are padded to few lengths.
 */
final class LetterVeil {
  private static final String SEALED = " Message, key and value are sealed with key %s.";

  private LetterVeil() {}

  static DeadLetter hide(DeadLetter plain, Stamp stamp) {
    PartWriter taken =
        new PartWriter().put(plain.message()).maybe(plain.key()).maybe(plain.value());
    Hidden hidden = stamp.ofLetter(place(plain), taken);
    String message = remedy(plain.code()) + SEALED.formatted(hidden.keyId());
    return plain.with(message, null, null, hidden);
  }

  static DeadLetter reveal(DeadLetter shown, Hidden hidden, KeyRing keys) {
    PartReader in = new PartReader(keys.open(hidden, place(shown).bytes()));
    DeadLetter revealed = shown.with(in.text(), in.bytesOrNull(), in.bytesOrNull(), null);
    in.end();
    return revealed;
  }

  private static String remedy(String code) {
    for (ErrorCode each : ErrorCode.values()) {
      if (each.name().equals(code)) {
        return each.remedy();
      }
    }
    return "";
  }

  private static PartWriter place(DeadLetter letter) {
    return new PartWriter()
        .put("dead letter")
        .put(letter.code())
        .put(letter.topic())
        .put(letter.partition())
        .put(letter.offset());
  }
}
