package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.WireException;
import io.equipoise.segment.log.RepeatedContext;
import io.equipoise.segment.log.SegmentWithoutSpec;
import io.equipoise.segment.state.SegmentSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks I4: decisions and segment events together number a segment's changes without gaps, and are
 * in order within a partition of each topic. REPEATED decisions and decisions of a segment without
 * a spec and without state have no seq.
 *
 * <p>A missing seq is no violation if only records beyond the checked end follow it: a live log is
 * checked up to its first gap.
 *
 * <p>State: one track for each segment of the key range. The gaps of a track are checked after its
 * topics were read.
 */
final class Sequences {
  private final FindingsCollector findings;
  private final MemoryBudget memoryBudget;
  private final Map<String, SegmentSnapshot> saved;
  private final Map<String, SeqTrack> tracks = new TreeMap<>();

  private Sequences(
      Map<String, SegmentSnapshot> saved, FindingsCollector findings, MemoryBudget memoryBudget) {
    this.saved = saved;
    this.findings = findings;
    this.memoryBudget = memoryBudget;
  }

  /** Returns the ranges of the topics whose records share one sequence. */
  static List<OffsetRange> slices(CommittedLog log) {
    List<OffsetRange> slices = new ArrayList<>(log.slices(LogTopic.DECISIONS));
    slices.addAll(log.slices(LogTopic.SEGMENT_EVENTS));
    return slices;
  }

  /**
   * Checks the segments of a key range; returns their tracks by segment.
   *
   * @param saved the segments' states in the savepoint; empty without one
   */
  static Map<String, SeqTrack> check(
      CommittedLog log,
      KeyRange keyRange,
      Map<String, SegmentSnapshot> saved,
      FindingsCollector findings,
      MemoryBudget memoryBudget) {
    Sequences sequences = new Sequences(saved, findings, memoryBudget);
    log.forEach(
        slices(log),
        at -> {
          if (keyRange.has(at.key())) {
            sequences.take(at);
          }
        });
    boolean hasAllDecisions = isWhole(log, LogTopic.DECISIONS);
    boolean hasAllSegmentEvents = isWhole(log, LogTopic.SEGMENT_EVENTS);
    sequences.tracks.forEach(
        (line, track) -> {
          track.begin(hasAllDecisions, hasAllSegmentEvents);
          sequences.end(line, track);
        });
    return sequences.tracks;
  }

  private void take(LogRecord at) {
    findings.checked(Invariant.I4);
    Change change;
    try {
      change = Change.of(at);
    } catch (WireException e) {
      findings.violated(Invariant.I4, at.place(), "it cannot be read: " + e.fact());
      return;
    }
    if (!change.isKeyed()) {
      findings.violated(
          Invariant.I4, change.key(), "its record's key is not its segment; at " + at.place());
      return;
    }
    SeqTrack track = tracks.get(change.segment());
    if (change.isUnnumbered()) {
      unnumbered(change, track);
      return;
    }
    if (track == null) {
      memoryBudget.reserve(SeqTrack.BYTES);
      SegmentSnapshot start = saved.get(change.segment());
      track = new SeqTrack(start == null ? 0 : start.seq());
      tracks.put(change.segment(), track);
    }
    String fault = track.add(change);
    if (!fault.isEmpty()) {
      findings.violated(Invariant.I4, change.key(), fault + "; at " + at.place());
    }
  }

  /** REPEATED decisions and decisions of a segment without spec and state have no seq. */
  private void unnumbered(Change change, @Nullable SeqTrack track) {
    boolean isNumberedBefore =
        saved.containsKey(change.segment()) || (track != null && track.isBehindNumbers(change));
    Decision decision = (Decision) change.record();
    if (decision.isRepeated()) {
      if (!RepeatedContext.isDecision(decision)) {
        findings.violated(
            Invariant.I4,
            change.key(),
            "its REPEATED decision has other fields than its context and its arm give; at "
                + change.at().place());
      }
    } else if (!SegmentWithoutSpec.isAnswer(decision)) {
      findings.violated(
          Invariant.I4,
          change.key(),
          "only a REPEATED decision or a rejection without a spec may have this seq; at "
              + change.at().place());
    } else if (isNumberedBefore) {
      findings.violated(
          Invariant.I4,
          change.key(),
          "it changes no state, but the segment has state; at " + change.at().place());
    }
  }

  /** Returns whether retention removed nothing from a topic. */
  static boolean isWhole(CommittedLog log, LogTopic topic) {
    return log.slices(topic).stream().allMatch(offsetRange -> offsetRange.begin() == 0);
  }

  private void end(String line, SeqTrack track) {
    long start = track.start() + 1;
    if (track.begin() > start) {
      findings.unchecked(
          Invariant.I4,
          "segment " + line + ", seq " + start + " to " + track.begin(),
          start == 1
              ? "retention removed the beginning of decisions or segment events; keep both without"
                  + " limit, or name a savepoint by --from"
              : "retention removed what follows the savepoint; name a later one by --from");
    } else if (track.first() > start) {
      findings.violated(
          Invariant.I4, "segment " + line + ", seq " + start, "the first seq is " + track.first());
      return;
    }
    if (track.hasGap()) {
      findings.violated(
          Invariant.I4, "segment " + line + ", seq " + (track.gaplessTo() + 1), track.gap());
    }
  }
}
