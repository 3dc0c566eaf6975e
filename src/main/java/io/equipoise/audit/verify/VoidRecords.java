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
 * Tells the valid decisions of all partitions from markers and from what was appended for attempts
 * that were over. To be asked in the order of offsets, from the beginning.
 */
final class VoidRecords {
  private final Map<RecordPlace, ValidWriterEpochs> valid = new HashMap<>();
  private long count;

  /**
   * Returns the decision that a record is; null if it is a marker, or void.
   *
   * @throws io.equipoise.event.WireException if it is none of all
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

  /** Returns how many decisions were void. */
  long count() {
    return count;
  }
}
