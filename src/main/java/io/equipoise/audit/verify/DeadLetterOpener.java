package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.Unredactor;
import org.jspecify.annotations.Nullable;

/** Opens dead letters that are sealed; what of them cannot be judged, or was forged, goes to I7. */
final class DeadLetterOpener {
  private final Unredactor unredactor;
  private final FindingsCollector findingsCollector;

  DeadLetterOpener(Unredactor unredactor, FindingsCollector findingsCollector) {
    this.unredactor = unredactor;
    this.findingsCollector = findingsCollector;
  }

  /**
   * Returns the letter with its bytes, or null where they cannot be had.
   *
   * @param key names the input that the letter is about
   * @param at where the letter stands
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
