package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Place;
import io.equipoise.event.PlacedOutput;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterSchemas;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the surviving history of a log of at-least-once delivery: decisions, segment events,
 * metrics, fairness records and dead letters that no later writer epoch withdrew, without markers
 * and void records. It equals a log of exactly-once delivery and is checked like one. Only dead
 * letters may be doubled: a dead letter written before a segment's next change may be missing in
 * the checkpoint of a later epoch, and a dead letter whose input reached no segment names no epoch.
 * {@link RepeatedDispositions} checks them.
 *
 * @param isFinal whether nothing more will be appended; otherwise metrics and fairness records of a
 *     writer epoch without changes yet are left out
 */
public record SurvivingLog(CommittedLog whole, WriterEpochHistory history, boolean isFinal)
    implements CommittedLog {

  @Override
  public List<OffsetRange> slices(LogTopic topic) {
    return whole.slices(topic);
  }

  /** Ranges of decisions must be complete, because earlier records decide what is void. */
  @Override
  public LogReader read(List<OffsetRange> slices) {
    LogReader reader = whole.read(slices);
    VoidRecords voids = new VoidRecords();
    return new LogReader() {
      @Override
      public @Nullable LogRecord next() {
        LogRecord next = reader.next();
        while (next != null && !survives(next, voids)) {
          next = reader.next();
        }
        return next;
      }

      @Override
      public void close() {
        reader.close();
      }
    };
  }

  @Override
  public WriterSchemas writers() {
    return whole.writers();
  }

  @Override
  public Map<OffsetRange, Long> endsNow(List<OffsetRange> slices) {
    return whole.endsNow(slices);
  }

  private boolean survives(PlacedOutput record) {
    return !history.isWithdrawn(record.place()) && (isFinal || !history.isAhead(record.place()));
  }

  /** Undecodable records survive; the checks report them. */
  private boolean survives(LogRecord at, VoidRecords voids) {
    byte[] value = Payloads.value(at);
    try {
      switch (at.slice().topic()) {
        case DECISIONS -> {
          Decision decision = voids.decision(at);
          return decision != null && !history.isWithdrawn(decision.place());
        }
        case SEGMENT_EVENTS -> {
          return !history.isWithdrawn(Wire.SEGMENT_EVENT.decode(value).place());
        }
        case METRICS -> {
          return survives(Wire.METRICS.decode(value));
        }
        case AUDIT -> {
          return survives(Wire.AUDIT.decode(value));
        }
        case EXPERIMENTS -> {
          return survives(Wire.EXPERIMENT.decode(value));
        }
        case DEAD_LETTER -> {
          Place by = Wire.DEAD_LETTER.decode(value).place();
          return by == null || !history.isWithdrawn(by);
        }
        default -> {
          return true;
        }
      }
    } catch (WireException e) {
      return true;
    }
  }
}
