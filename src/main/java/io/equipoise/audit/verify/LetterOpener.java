package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.join.disclosure.Revealer;
import io.equipoise.join.disclosure.SealedException;
import org.jspecify.annotations.Nullable;

/** Opens dead letters that are sealed; what of them cannot be judged, or was forged, goes to I7. */
final class LetterOpener {
  private final Revealer revealer;
  private final Docket docket;

  LetterOpener(Revealer revealer, Docket docket) {
    this.revealer = revealer;
    this.docket = docket;
  }

  /**
   * Returns the letter with its bytes, or null where they cannot be had.
   *
   * @param key names the input that the letter is about
   * @param at where the letter stands
   */
  @Nullable DeadLetter open(DeadLetter sealed, String key, LogRecord at) {
    try {
      return revealer.reveal(sealed);
    } catch (SealedException e) {
      String why = "of its dead letter at " + at.place() + ": " + e.getMessage();
      if (e.isForged()) {
        docket.violated(Invariant.I7, key, why);
      } else {
        docket.unjudged(Invariant.I7, key, why);
      }
      return null;
    }
  }
}
