package io.equipoise.audit;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.IdHash;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterSchemas;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.Unredactor;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds every record of a log that names a decision: by its id, by the hash of its id, or, in
 * undecodable bytes, by the bytes of the id. Metrics and experiments name no decision and are not
 * read.
 */
final class DecisionTrace {
  private final String id;
  private final String hash;
  private final Unredactor unredactor;
  private long sealed;

  DecisionTrace(String id, Unredactor unredactor) {
    if (id.isEmpty()) { // records that the job writes about itself have none
      throw new IllegalArgumentException(
          "DECISION_ID is empty; an id has 1 to %d bytes".formatted(InputDecoder.MAX_ID_BYTES));
    }
    this.id = id;
    this.hash = IdHash.of(id).hex();
    this.unredactor = unredactor;
  }

  /** Passes the records that name the decision, topic by topic. */
  void read(CommittedLog log, Consumer<LogRecord> into) {
    for (LogTopic topic : LogTopic.values()) {
      if (topic != LogTopic.METRICS && topic != LogTopic.EXPERIMENTS) {
        log.forEach(
            log.slices(topic),
            at -> {
              if (names(topic, at, log.writers())) {
                into.accept(at);
              }
            });
      }
    }
  }

  /** Returns how many dead letters without an id could not be decrypted. */
  long sealed() {
    return sealed;
  }

  private boolean names(LogTopic topic, LogRecord at, WriterSchemas writers) {
    byte[] value = at.value() == null ? new byte[0] : at.value();
    try {
      return switch (topic) {
        case CONTEXTS -> id.equals(writers.decode(Wire.CONTEXT, value).decisionId());
        case REWARDS -> id.equals(writers.decode(Wire.REWARD, value).decisionId());
        case DECISIONS -> id.equals(Wire.DECISION.decode(value).decisionId());
        case AUDIT -> id.equals(Wire.AUDIT.decode(value).decisionId());
        case SEGMENT_EVENTS -> names(Wire.SEGMENT_EVENT.decode(value));
        case DEAD_LETTER -> names(Wire.DEAD_LETTER.decode(value));
        case EXPERIMENTS, METRICS -> false;
      };
    } catch (WireException e) {
      return contains(at.key()) || contains(value);
    }
  }

  private boolean names(SegmentEvent segmentEvent) {
    return id.equals(segmentEvent.decisionId()) || hash.equals(segmentEvent.hashOfDecision());
  }

  private boolean names(DeadLetter deadLetter) {
    if (deadLetter.input().decisionId() != null) {
      return id.equals(deadLetter.input().decisionId());
    }
    try {
      DeadLetter opened = unredactor.reveal(deadLetter);
      return contains(opened.input().key()) || contains(opened.input().value());
    } catch (CiphertextException e) {
      sealed++;
      return false;
    }
  }

  private boolean contains(byte @Nullable [] bytes) {
    return bytes != null
        && new String(bytes, StandardCharsets.ISO_8859_1)
            .contains(new String(id.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
  }
}
