package io.equipoise.privacy;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Redaction;
import java.util.List;
import java.util.Set;

/**
 * Redacts dead letters: encrypts code, variables, key and value in both modes, because the
 * originals must be recoverable. The names of variables may come from the sender. The message is
 * replaced by one that follows from the typed fields, also in the revealed dead letter, because it
 * may quote values.
 *
 * <p>DUPLICATE_CONTEXT and CONFLICTING_CONTEXT get the same code and the same length. Otherwise a
 * reader who knows all of a context except a sensitive level could determine that level.
 *
 * <p>The length of the original could reveal a level to a reader who knows the rest of a person's
 * context from the decision. So dead letters are padded to few lengths.
 */
final class DeadLetterRedactor {
  private static final Set<String> REPEATED =
      Set.of(
          ErrorCode.DUPLICATE_CONTEXT.name(),
          ErrorCode.CONFLICTING_CONTEXT.name(),
          ErrorCode.REPEATED_CONTEXT.name());
  private static final int LONGEST_CODE = 32;

  private static final String ENCRYPTED = " Variables, key and value are encrypted with key %s.";

  private DeadLetterRedactor() {}

  /** Returns the published code of a redacted dead letter. */
  static String shown(String code) {
    return REPEATED.contains(code) ? ErrorCode.REPEATED_CONTEXT.name() : code;
  }

  static DeadLetter hide(DeadLetter plain, RedactionContext redactionContext) {
    String code = shown(plain.code());
    PartWriter taken = new PartWriter();
    if (REPEATED.contains(plain.code())) {
      taken.level(plain.code(), LONGEST_CODE);
    }
    taken.texts(plain.variables()).maybe(plain.input().key()).maybe(plain.input().value());
    Redaction redaction = redactionContext.ofDeadLetter(place(plain, code), taken);
    String message =
        DeadLetter.plainMessage(code, List.of()) + ENCRYPTED.formatted(redaction.keyId());
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

  private static PartWriter place(DeadLetter deadLetter, String code) {
    return new PartWriter()
        .put("dead letter")
        .put(code)
        .put(deadLetter.source().topic())
        .put(deadLetter.source().partition())
        .put(deadLetter.source().offset());
  }
}
