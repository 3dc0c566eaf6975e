package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Place;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Decides which records survive on the log of an at-least-once job, by the first seq that each
 * writer epoch wrote in each segment. Records of earlier epochs from that seq on were not in its
 * checkpoint and are withdrawn. The rest is the surviving history.
 *
 * <p>If the first records of an epoch are lost, it started from the same checkpoint as the next
 * epoch, which writes them again. So the result is exact for a job that runs or was stopped in an
 * orderly way.
 *
 * <p>State: by segment the first seq of each epoch and the greatest seq of the latest, and the time
 * of the first marker. {@code leastAhead} is derived from the first seqs and updated with each.
 * {@link #read} is the only writer.
 */
public final class WriterEpochHistory {
  private static final long BYTES = 200;

  private final boolean isPlain;
  private final Predicate<String> wanted;
  private final Map<String, WriterEpochs> segments = new HashMap<>();
  private long firstMarkerTime = Long.MAX_VALUE;

  /** Keeps the first seqs of the writer epochs of one segment. */
  private static final class WriterEpochs {
    private final TreeMap<Integer, Long> firstSeqs = new TreeMap<>();

    /**
     * First seqs below those of all later epochs: the next entry after an epoch is the minimum over
     * all epochs after it.
     */
    private final TreeMap<Integer, Long> leastAhead = new TreeMap<>();

    /** The greatest seq of the latest epoch. */
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

  static WriterEpochHistory read(CommittedLog log, long memoryBytes) {
    return read(log, segment -> true, new MemoryBudget(memoryBytes));
  }

  /**
   * Reads the writer epochs. If the log has no markers, reads only the headers of the decisions.
   *
   * @param log its decisions and segment events are read to the end of their ranges
   * @param wanted filter by segment
   * @param memoryBudget charged with {@value #BYTES} bytes per segment and per epoch of a segment
   * @throws InconclusiveException if memory does not suffice, or the log cannot be read
   */
  public static WriterEpochHistory read(
      CommittedLog log, Predicate<String> wanted, MemoryBudget memoryBudget) {
    if (!hasMarkers(log)) {
      return new WriterEpochHistory(true, wanted);
    }
    WriterEpochHistory history = new WriterEpochHistory(false, wanted);
    VoidRecords voids = new VoidRecords();
    try {
      log.forEach(Sequences.slices(log), at -> history.take(at, voids, memoryBudget));
    } catch (MemoryBudget.ExceededException e) {
      throw new InconclusiveException(
          "too many segments have too many writer epochs; give more --memory");
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
        note(segmentEvent.place(), memoryBudget);
        return;
      }
      if (at.isMarker()) {
        firstMarkerTime = Math.min(firstMarkerTime, at.timestamp());
      }
      Decision decision = voids.decision(at);
      if (decision != null && decision.seq() != SegmentWithoutSpec.UNNUMBERED) {
        note(decision.place(), memoryBudget);
      }
    } catch (WireException e) {
      return; // I4 reports it
    }
  }

  private void note(Place place, MemoryBudget memoryBudget) {
    if (!wanted.test(place.segment())) {
      return;
    }
    WriterEpochs ofSegment = segments.get(place.segment());
    if (ofSegment == null) {
      memoryBudget.reserve(BYTES);
      ofSegment = new WriterEpochs();
      segments.put(place.segment(), ofSegment);
    }
    int writerEpochs = ofSegment.firstSeqs.size();
    ofSegment.note(place.writerEpoch(), place.seq());
    if (ofSegment.firstSeqs.size() > writerEpochs) {
      memoryBudget.reserve(BYTES);
    }
  }

  /** Returns whether all records were written with exactly-once delivery. */
  boolean isPlain() {
    return isPlain;
  }

  /**
   * Returns whether a later writer epoch withdrew a change, or a snapshot, dead letter or audit
   * record after it.
   *
   * @param place in a segment that the filter accepts
   */
  public boolean isWithdrawn(Place place) {
    WriterEpochs ofSegment = segments.get(place.segment());
    Map.Entry<Integer, Long> least =
        ofSegment == null ? null : ofSegment.leastAhead.higherEntry(place.writerEpoch());
    return least != null && least.getValue() <= place.seq();
  }

  /** Returns whether the history that a later writer epoch continues contains a change. */
  boolean isContinued(Place place, int later) {
    WriterEpochs ofSegment = segments.get(place.segment());
    return ofSegment != null
        && place.writerEpoch() <= later
        && ofSegment.firstSeqs.subMap(place.writerEpoch(), false, later, true).values().stream()
            .allMatch(first -> first > place.seq());
  }

  /** Returns whether a writer epoch is later than those of all changes of a segment so far. */
  boolean isAhead(Place place) {
    WriterEpochs ofSegment = segments.get(place.segment());
    return ofSegment == null || ofSegment.firstSeqs.lastKey() < place.writerEpoch();
  }

  /**
   * Returns whether a later writer epoch may lack a record that an epoch wrote between a change of
   * a segment and the next change, although no change was withdrawn. That is the case if it started
   * from a checkpoint between the same two changes, as the next epoch did if its own first change
   * was lost. Records of exactly-once delivery are never lacking.
   *
   * @param place with the segment's last change before the record
   */
  boolean mayForget(Place place, int later) {
    int writerEpoch = place.writerEpoch();
    if (writerEpoch == 0 || later <= writerEpoch) {
      return false;
    }
    WriterEpochs ofSegment = segments.get(place.segment());
    if (ofSegment == null) {
      return true;
    }
    boolean isBoundary =
        ofSegment.firstSeqs.tailMap(writerEpoch, false).containsValue(place.seq() + 1);
    return isBoundary || (later > ofSegment.firstSeqs.lastKey() && place.seq() >= ofSegment.last);
  }

  /** Returns whether a record was certainly written before the first writer-epoch marker. */
  boolean isBeforeAll(long timestamp) {
    return timestamp < firstMarkerTime - KeptRecords.MOST_APART_MILLIS;
  }
}
