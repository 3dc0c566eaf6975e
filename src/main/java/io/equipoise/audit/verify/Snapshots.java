package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the metrics snapshots of a key range's segments, by seq. They are kept as bytes, because
 * all of a pass wait here for the replay.
 */
final class Snapshots {
  private static final long OVERHEAD_BYTES = 200;

  private final Map<String, TreeMap<Long, List<LogRecord>>> bySegment = new TreeMap<>();
  private long count;

  /** Pairs a snapshot with its place on the metrics topic. */
  record PlacedMetrics(LogRecord at, SegmentMetrics metrics) {
    String key() {
      return Change.key(metrics.segment(), metrics.seq());
    }
  }

  private Snapshots() {}

  static Snapshots read(
      CommittedLog log, KeyRange keyRange, FindingsCollector findings, MemoryBudget memoryBudget) {
    Snapshots snapshots = new Snapshots();
    log.forEach(
        log.slices(LogTopic.METRICS),
        at -> {
          if (keyRange.has(at.key())) {
            memoryBudget.reserve(OVERHEAD_BYTES + Payloads.value(at).length);
            snapshots.take(at, findings);
          }
        });
    return snapshots;
  }

  private void take(LogRecord at, FindingsCollector findings) {
    try {
      SegmentMetrics metrics = Wire.METRICS.decode(Payloads.value(at));
      if (!Change.isKeyed(at, metrics.segment())) {
        findings.violated(
            Invariant.I3,
            new PlacedMetrics(at, metrics).key(),
            "the snapshot's key is not its segment; at " + at.place());
        return;
      }
      bySegment
          .computeIfAbsent(metrics.segment(), segment -> new TreeMap<>())
          .computeIfAbsent(metrics.seq(), seq -> new ArrayList<>(1))
          .add(at);
      count++;
    } catch (WireException e) {
      findings.violated(Invariant.I6, at.place(), "the snapshot cannot be read: " + e.fact());
    }
  }

  /** Removes and returns the snapshots of one seq. */
  List<PlacedMetrics> take(String segment, long seq) {
    TreeMap<Long, List<LogRecord>> ofSegment = bySegment.get(segment);
    List<LogRecord> found = ofSegment == null ? null : ofSegment.remove(seq);
    if (found == null) {
      return List.of();
    }
    count -= found.size();
    return found.stream()
        .map(at -> new PlacedMetrics(at, Wire.METRICS.decode(Payloads.value(at))))
        .toList();
  }

  /** Drops the snapshots of a segment up to a seq that the savepoint includes. */
  void forget(String segment, long upTo) {
    TreeMap<Long, List<LogRecord>> ofSegment = bySegment.get(segment);
    if (ofSegment != null) {
      Map<Long, List<LogRecord>> earlier = ofSegment.headMap(upTo, true);
      count -= earlier.values().stream().mapToLong(List::size).sum();
      earlier.clear();
    }
  }

  /** Returns the earliest checked snapshot of a segment that was not taken, or null. */
  @Nullable LogRecord left(String segment) {
    for (List<LogRecord> ofSeq : bySegment.getOrDefault(segment, new TreeMap<>()).values()) {
      for (LogRecord at : ofSeq) {
        if (at.isChecked()) {
          return at;
        }
      }
    }
    return null;
  }

  /** Returns the segments with snapshots that were not taken. */
  List<String> segmentsLeft() {
    return bySegment.entrySet().stream()
        .filter(entry -> !entry.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the number of snapshots not taken. */
  long count() {
    return count;
  }
}
