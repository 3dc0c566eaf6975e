package io.equipoise.privacy;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Redaction;
import java.util.List;
import java.util.Set;

/**
 * Dead letters: encrypts code, variables, key and value, whatever the mode, for the originals must
 * be had again. The names of variables may be ones that the sender chose. The message is dropped:
 * it is for people and may quote values. In its place stands, here and in the revealed dead letter,
 * a message that follows from the typed fields.
 *
 * <p>Whether a context repeats an earlier one or conflicts with it tells whoever knows all of it
 * but a hidden level which level that is: both have one code, and are equally long.
 *
 * <p>How long the original is tells a level where all else of a person is known from their
 * decision: letters are padded to few lengths.
 */
final class DeadLetterRedactor {
  private static final Set<String> REPEATED =
      Set.of(
          ErrorCode.DUPLICATE_CONTEXT.name(),
          ErrorCode.CONFLICTING_CONTEXT.name(),
          ErrorCode.REPEATED_CONTEXT.name());
  private static final int LONGEST_CODE = 32;

  private static final String SEALED = " Variables, key and value are sealed with key %s.";

  private DeadLetterRedactor() {}

  /** Returns the code that stands for one where values are hidden. */
  static String shown(String code) {
    return REPEATED.contains(code) ? ErrorCode.REPEATED_CONTEXT.name() : code;
  }

  static DeadLetter hide(DeadLetter plain, RedactionContext redactionContext) {
    String code = shown(plain.code());
    PartWriter taken = new PartWriter();
    if (REPEATED.contains(plain.code())) {
      taken.level(plain.code(), LONGEST_CODE);
    }
    taken.texts(plain.variables()).maybe(plain.key()).maybe(plain.value());
    Redaction redaction = redactionContext.ofLetter(place(plain, code), taken);
    String message = DeadLetter.plainMessage(code, List.of()) + SEALED.formatted(redaction.keyId());
    return plain.with(code, message, List.of(), null, null, redaction);
  }

  static DeadLetter reveal(DeadLetter shown, Redaction redaction, KeyRing keys) {
    PartReader in = new PartReader(keys.open(redaction, place(shown, shown.code()).bytes()));
    boolean isRepeated = shown.code().equals(ErrorCode.REPEATED_CONTEXT.name());
    String code = isRepeated ? in.text() : shown.code();
    List<String> variables = in.texts();
    DeadLetter revealed =
        shown.with(
            code,
            DeadLetter.plainMessage(code, variables),
            variables,
            in.bytesOrNull(),
            in.bytesOrNull(),
            null);
    in.end();
    return revealed;
  }

  private static PartWriter place(DeadLetter letter, String code) {
    return new PartWriter()
        .put("dead letter")
        .put(code)
        .put(letter.topic())
        .put(letter.partition())
        .put(letter.offset());
  }
}
