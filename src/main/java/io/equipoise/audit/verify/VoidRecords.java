package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.ValidWriterEpochs;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterEpochMarker;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Separates valid decisions from markers and from decisions of fenced writer epochs. Records must
 * be passed in the order of offsets, from the beginning.
 */
final class VoidRecords {
  private final Map<RecordPlace, ValidWriterEpochs> valid = new HashMap<>();
  private long count;

  /**
   * Returns the decision of a record; null for a marker or a void record.
   *
   * @throws io.equipoise.event.WireException if the record is neither
   */
  @Nullable Decision decision(LogRecord at) {
    ValidWriterEpochs ofPartition =
        valid.computeIfAbsent(RecordPlace.of(at.slice()), any -> new ValidWriterEpochs());
    if (at.isMarker()) {
      ofPartition.on(WriterEpochMarker.of(at.headers()));
      return null;
    }
    Decision decision = Wire.DECISION.decode(Payloads.value(at));
    if (!ofPartition.on(decision)) {
      count++;
      return null;
    }
    return decision;
  }

  /** Reads a log's decisions and hands on the valid ones; I4 reports those that are unreadable. */
  static VoidRecords read(CommittedLog log, BiConsumer<Decision, LogRecord> to) {
    VoidRecords voids = new VoidRecords();
    log.forEach(
        log.slices(LogTopic.DECISIONS),
        at -> {
          try {
            Decision decision = voids.decision(at);
            if (decision != null) {
              to.accept(decision, at);
            }
          } catch (WireException e) {
            return;
          }
        });
    return voids;
  }

  /** Returns the number of void decisions. */
  long count() {
    return count;
  }
}
