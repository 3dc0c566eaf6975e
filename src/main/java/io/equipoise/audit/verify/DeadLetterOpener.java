package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.Unredactor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Opens encrypted dead letters; reports those that are forged or cannot be opened to I7. */
record DeadLetterOpener(Unredactor unredactor, FindingsCollector findings) {
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
        findings.violated(Invariant.I7, key, why);
      } else {
        findings.unchecked(Invariant.I7, key, why);
      }
      return null;
    }
  }

  /** Reads a log's dead letters; leaves out unreadable ones, which the check of inputs reports. */
  static void read(CommittedLog log, BiConsumer<LogRecord, DeadLetter> to) {
    log.forEach(
        log.slices(LogTopic.DEAD_LETTER),
        at -> {
          DeadLetter deadLetter;
          try {
            deadLetter = Wire.DEAD_LETTER.decode(Payloads.value(at));
          } catch (WireException e) {
            return;
          }
          to.accept(at, deadLetter);
        });
  }
}
