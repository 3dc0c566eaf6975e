package io.equipoise.join.disclosure;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Hidden;
import java.util.Set;

/**
 * Dead letters: encrypts key, value and message, whatever the mode, for the originals must be had
 * again; in the message's place stands what its code says. A message names no values of attributes,
 * but it may quote names that the sender chose.
 *
 * <p>Whether a context repeats an earlier one or conflicts with it tells whoever knows all of it
 * but a hidden level which level that is: both have one code, and are equally long.
 *
 * <p>How long the original is tells a level where all else of a person is known from their
 * decision: letters are padded to few lengths.
 */
final class LetterVeil {
  private static final Set<String> REPEATED =
      Set.of(
          ErrorCode.DUPLICATE_CONTEXT.name(),
          ErrorCode.CONFLICT_CONTEXT.name(),
          ErrorCode.REPEATED_CONTEXT.name());
  private static final int LONGEST_CODE = 32;
  private static final int LONGEST_MESSAGE = 256;

  private static final String SEALED = " Message, key and value are sealed with key %s.";

  private LetterVeil() {}

  /** Returns the code that stands for one where values are hidden. */
  static String shown(String code) {
    return REPEATED.contains(code) ? ErrorCode.REPEATED_CONTEXT.name() : code;
  }

  static DeadLetter hide(DeadLetter plain, Stamp stamp) {
    String code = shown(plain.code());
    PartWriter taken = new PartWriter();
    if (REPEATED.contains(plain.code())) {
      taken.level(plain.code(), LONGEST_CODE).level(plain.message(), LONGEST_MESSAGE);
    } else {
      taken.put(plain.message());
    }
    taken.maybe(plain.key()).maybe(plain.value());
    DeadLetter told = plain.with(code, plain.message(), null, null, null);
    Hidden hidden = stamp.ofLetter(place(told), taken);
    String message = remedy(code) + SEALED.formatted(hidden.keyId());
    return told.with(message, null, null, hidden);
  }

  static DeadLetter reveal(DeadLetter shown, Hidden hidden, KeyRing keys) {
    PartReader in = new PartReader(keys.open(hidden, place(shown).bytes()));
    boolean isRepeated = shown.code().equals(ErrorCode.REPEATED_CONTEXT.name());
    String code = isRepeated ? in.text() : shown.code();
    DeadLetter revealed = shown.with(code, in.text(), in.bytesOrNull(), in.bytesOrNull(), null);
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
