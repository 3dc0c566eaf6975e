package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.Unredactor;
import org.jspecify.annotations.Nullable;

/** Opens encrypted dead letters; reports those that are forged or cannot be opened to I7. */
record DeadLetterOpener(Unredactor unredactor, FindingsCollector findingsCollector) {
  /**
   * Returns the dead letter with its bytes, or null if it cannot be opened.
   *
   * @param key the input's name in findings
   * @param at the record of the dead letter
   */
  @Nullable DeadLetter open(DeadLetter sealed, String key, LogRecord at) {
    try {
      return unredactor.reveal(sealed);
    } catch (CiphertextException e) {
      String why = "of its dead letter at " + at.place() + ": " + e.getMessage();
      if (e.isForged()) {
        findingsCollector.violated(Invariant.I7, key, why);
      } else {
        findingsCollector.unchecked(Invariant.I7, key, why);
      }
      return null;
    }
  }
}
