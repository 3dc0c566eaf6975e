package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import io.equipoise.event.ValidWriterEpochs;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import java.util.HashMap;
import java.util.Map;
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

  /** Returns the number of void decisions. */
  long count() {
    return count;
  }
}
