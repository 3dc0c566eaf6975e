package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.Explanation;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The surviving history of a log of at-least-once delivery: of decisions, segment events, metrics
 * and fairness records and dead letters what no later attempt has withdrawn, without markers and
 * void records. It is a log as exactly-once delivery would have left it, and is judged as one. Dead
 * letters may be doubled: one that was written before a segment's next change may or may not have
 * been in the checkpoint that a later attempt began with, and those that no segment saw say nothing
 * of attempts. {@link RepeatedDispositions} judges them.
 */
final class SurvivingLog implements CommittedLog {
  private final CommittedLog whole;
  private final WriterEpochHistory history;
  private final boolean isFinal;

  /**
   * Lets a log be seen without what was withdrawn.
   *
   * @param isFinal whether nothing more will be appended; else what tells of changes may be there
   *     before them, and is left out
   */
  SurvivingLog(CommittedLog whole, WriterEpochHistory history, boolean isFinal) {
    this.whole = whole;
    this.history = history;
    this.isFinal = isFinal;
  }

  @Override
  public List<OffsetRange> slices(LogTopic topic) {
    return whole.slices(topic);
  }

  /** Slices of decisions must be whole: what is void depends on what stands before. */
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
  public Map<OffsetRange, Long> endsNow(List<OffsetRange> slices) {
    return whole.endsNow(slices);
  }

  private boolean survives(Explanation record) {
    return !history.isWithdrawn(record.segment(), record.writerEpoch(), record.seq())
        && (isFinal || !history.isAhead(record.segment(), record.writerEpoch()));
  }

  /** What cannot be read survives: it is for the judges to name it. */
  private boolean survives(LogRecord at, VoidRecords voids) {
    byte[] value = Payloads.value(at);
    try {
      switch (at.slice().topic()) {
        case DECISIONS -> {
          Decision decision = voids.decision(at);
          return decision != null
              && !history.isWithdrawn(decision.segment(), decision.writerEpoch(), decision.seq());
        }
        case SEGMENT_EVENTS -> {
          SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(value);
          return !history.isWithdrawn(
              segmentEvent.segment(), segmentEvent.writerEpoch(), segmentEvent.seq());
        }
        case METRICS -> {
          SegmentMetrics metrics = Wire.METRICS.decode(value);
          return !history.isWithdrawn(metrics.segment(), metrics.writerEpoch(), metrics.seq())
              && (isFinal || !history.isAhead(metrics.segment(), metrics.writerEpoch()));
        }
        case AUDIT -> {
          return survives(Wire.AUDIT.decode(value));
        }
        case EXPERIMENTS -> {
          return survives(Wire.EXPERIMENT.decode(value));
        }
        case DEAD_LETTER -> {
          DeadLetter letter = Wire.DEAD_LETTER.decode(value);
          String segment = letter.segment();
          Integer writerEpoch = letter.writerEpoch();
          Long seq = letter.seq();
          return segment == null
              || writerEpoch == null
              || seq == null
              || !history.isWithdrawn(segment, writerEpoch, seq);
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
