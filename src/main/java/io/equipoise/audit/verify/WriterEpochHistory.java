package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Where each attempt of a job with at-least-once delivery took up each segment: at the first seq
 * that it wrote. What earlier attempts wrote from that seq on was not in the checkpoint that it
 * began with, and is withdrawn; what is left is the surviving history.
 *
 * <p>An attempt whose first records were lost began with the same checkpoint as the next one, which
 * writes them again; so this holds of a log whose job goes on, or was stopped in good order.
 */
public final class WriterEpochHistory {
  private static final long BYTES = 200;

  private final boolean isPlain;
  private final Predicate<String> wanted;
  private final Map<String, WriterEpochs> segments = new HashMap<>();
  private long firstMarkerTime = Long.MAX_VALUE;

  /** What attempts there were of one segment. */
  private static final class WriterEpochs {
    private final TreeMap<Integer, Long> firstSeqs = new TreeMap<>();

    /**
     * Those of them that are less than all of later attempts: the next one after an attempt is the
     * least after it, however many there were.
     */
    private final TreeMap<Integer, Long> leastAhead = new TreeMap<>();

    /** The greatest seq of the latest attempt. */
    private long last;

    private void note(int writerEpoch, long seq) {
      if (firstSeqs.isEmpty() || writerEpoch > firstSeqs.lastKey()) {
        last = seq;
      } else if (writerEpoch == firstSeqs.lastKey()) {
        last = Math.max(last, seq);
      }
      firstSeqs.merge(writerEpoch, seq, Math::min);
      noteAhead(writerEpoch, seq);
    }

    private void noteAhead(int writerEpoch, long seq) {
      Map.Entry<Integer, Long> ahead = leastAhead.ceilingEntry(writerEpoch);
      if (ahead != null && ahead.getValue() <= seq) {
        return;
      }
      leastAhead.put(writerEpoch, seq);
      Map.Entry<Integer, Long> before = leastAhead.lowerEntry(writerEpoch);
      while (before != null && before.getValue() >= seq) {
        leastAhead.remove(before.getKey());
        before = leastAhead.lowerEntry(writerEpoch);
      }
    }
  }

  private WriterEpochHistory(boolean isPlain, Predicate<String> wanted) {
    this.isPlain = isPlain;
    this.wanted = wanted;
  }

  /** Reads what attempts there were of all segments. */
  static WriterEpochHistory read(CommittedLog log, long memoryBytes) {
    return read(log, segment -> true, new MemoryBudget(memoryBytes));
  }

  /**
   * Reads what attempts there were. A log without markers costs a look at the decisions' frames.
   *
   * @param log its decisions and segment events are read, as far as they reach
   * @param wanted the segments that are asked for
   * @param memoryBudget is taken from what is held: {@value #BYTES} a segment, and as much an
   *     attempt
   * @throws InconclusiveException if memory does not suffice, or the log cannot be read
   */
  public static WriterEpochHistory read(
      CommittedLog log, Predicate<String> wanted, MemoryBudget memoryBudget) {
    if (!hasMarkers(log)) {
      return new WriterEpochHistory(true, wanted);
    }
    WriterEpochHistory history = new WriterEpochHistory(false, wanted);
    VoidRecords voids = new VoidRecords();
    try (LogReader reader = log.read(Sequences.slices(log))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        history.take(at, voids, memoryBudget);
      }
    } catch (MemoryBudget.ExceededException e) {
      throw new InconclusiveException(
          "too many segments were taken up by too many attempts; give more --memory");
    }
    return history;
  }

  private static boolean hasMarkers(CommittedLog log) {
    try (LogReader reader = log.read(log.slices(LogTopic.DECISIONS))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        if (at.isMarker()) {
          return true;
        }
      }
    }
    return false;
  }

  private void take(LogRecord at, VoidRecords voids, MemoryBudget memoryBudget) {
    try {
      if (at.slice().topic() == LogTopic.SEGMENT_EVENTS) {
        SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(Payloads.value(at));
        note(segmentEvent.segment(), segmentEvent.writerEpoch(), segmentEvent.seq(), memoryBudget);
        return;
      }
      if (at.isMarker()) {
        firstMarkerTime = Math.min(firstMarkerTime, at.timestamp());
      }
      Decision decision = voids.decision(at);
      if (decision != null && decision.seq() != SegmentWithoutSpec.UNNUMBERED) {
        note(decision.segment(), decision.writerEpoch(), decision.seq(), memoryBudget);
      }
    } catch (WireException e) {
      return; // I4 tells
    }
  }

  private void note(String segment, int writerEpoch, long seq, MemoryBudget memoryBudget) {
    if (!wanted.test(segment)) {
      return;
    }
    WriterEpochs ofSegment = segments.get(segment);
    if (ofSegment == null) {
      memoryBudget.reserve(BYTES);
      ofSegment = new WriterEpochs();
      segments.put(segment, ofSegment);
    }
    int writerEpochs = ofSegment.firstSeqs.size();
    ofSegment.note(writerEpoch, seq);
    if (ofSegment.firstSeqs.size() > writerEpochs) {
      memoryBudget.reserve(BYTES);
    }
  }

  /** Says whether all records are of exactly-once delivery. */
  boolean isPlain() {
    return isPlain;
  }

  /**
   * Says whether a later attempt went on from before a change, or before what tells of it: a
   * snapshot behind it, a dead letter, or an audit record.
   *
   * @param segment one that was asked for
   */
  public boolean isWithdrawn(String segment, int writerEpoch, long seq) {
    WriterEpochs ofSegment = segments.get(segment);
    Map.Entry<Integer, Long> least =
        ofSegment == null ? null : ofSegment.leastAhead.higherEntry(writerEpoch);
    return least != null && least.getValue() <= seq;
  }

  /** Says whether an attempt is later than all that a segment's changes are of so far. */
  boolean isAhead(String segment, int writerEpoch) {
    WriterEpochs ofSegment = segments.get(segment);
    return ofSegment == null || ofSegment.firstSeqs.lastKey() < writerEpoch;
  }

  /**
   * Says whether a later attempt may know nothing of what an attempt wrote behind a change of a
   * segment and before the next one, though no change was withdrawn: it began with a checkpoint
   * from between the same two changes, as the next one did if its own first change was lost. What
   * was written exactly once nobody forgets.
   *
   * @param seq the segment's last change when it was written
   */
  boolean mayForget(String segment, int writerEpoch, long seq, int later) {
    if (writerEpoch == 0 || later <= writerEpoch) {
      return false;
    }
    WriterEpochs ofSegment = segments.get(segment);
    if (ofSegment == null) {
      return true;
    }
    boolean isBoundary = ofSegment.firstSeqs.tailMap(writerEpoch, false).containsValue(seq + 1);
    return isBoundary || (later > ofSegment.firstSeqs.lastKey() && seq >= ofSegment.last);
  }

  /** Says whether what was appended then was certainly written before there were any attempts. */
  boolean isBeforeAll(long timestamp) {
    return timestamp < firstMarkerTime - KeptRecords.MOST_APART_MILLIS;
  }
}
