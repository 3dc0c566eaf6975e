package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.event.LogTopic;
import io.equipoise.privacy.ReferenceRedactor;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segment.state.SegmentSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs the checks by segment and seq (I3 to I6), one key range after the other. If a key range does
 * not fit into memory, starts again with twice as many.
 *
 * @param mayLag whether some of the newest records may not have been appended yet
 */
record SegmentChecks(
    CommittedLog log,
    SpecCatalog specCatalog,
    StartState startState,
    FindingsCollector findings,
    VerifyOptions verifyOptions,
    Unredactor unredactor,
    ReferenceRedactor redactor,
    boolean mayLag) {
  private static final int MOST_KEY_RANGES = 1 << 12;

  /**
   * Checks all segments; returns the number of key ranges.
   *
   * @throws InconclusiveException if no number of key ranges fits into memory
   */
  int check() {
    for (int count = 1; count <= MOST_KEY_RANGES; count *= 2) {
      try {
        check(count);
        return count;
      } catch (MemoryBudget.ExceededException e) {
        Set<Invariant> mine = EnumSet.copyOf(Replay.INVARIANTS);
        mine.add(Invariant.I1); // the checks by origin run later
        mine.add(Invariant.I4);
        findings.reopen(mine);
      }
    }
    throw new InconclusiveException("a single segment does not fit; give more --memory");
  }

  private void check(int count) {
    KeptRecords kept = KeptRecords.of(log, LogTopic.AUDIT);
    KeptRecords keptExperiments = KeptRecords.of(log, LogTopic.EXPERIMENTS);
    KeptRecords keptSnapshots = KeptRecords.of(log, LogTopic.METRICS);
    boolean areChangesWhole =
        Sequences.isWhole(log, LogTopic.DECISIONS)
            && Sequences.isWhole(log, LogTopic.SEGMENT_EVENTS);
    noteRemoved(kept.isWhole() && keptExperiments.isWhole(), keptSnapshots.isWhole());
    int leftAlone = verifyOptions.mostIsolated();
    InputRecords inputs = new InputRecords(log);
    long skew = verifyOptions.maxClockSkew().toMillis();
    for (int index = 0; index < count; index++) {
      KeyRange keyRange = new KeyRange(index, count);
      MemoryBudget memoryBudget = new MemoryBudget(verifyOptions.memoryBytes());
      Map<String, SegmentSnapshot> saved =
          startState.segments(segment -> keyRange.has(segment.getBytes(StandardCharsets.UTF_8)));
      Map<String, SeqTrack> tracks = Sequences.check(log, keyRange, saved, findings, memoryBudget);
      Set<String> alone = new TreeSet<>();
      for (String segment : tracks.keySet()) {
        if (alone.size() < leftAlone) {
          alone.add(segment);
        }
      }
      leftAlone -= alone.size();
      Snapshots snapshots = Snapshots.read(log, keyRange, findings, memoryBudget);
      DeadLetterCounts deadLetterCounts = DeadLetterCounts.read(log, keyRange, memoryBudget);
      List<FairnessRecords> explained =
          List.of(
              new FairnessRecords(
                  LogTopic.AUDIT,
                  tracks,
                  saved,
                  kept,
                  areChangesWhole,
                  mayLag,
                  redactor,
                  findings,
                  memoryBudget),
              new FairnessRecords(
                  LogTopic.EXPERIMENTS,
                  tracks,
                  saved,
                  keptExperiments,
                  areChangesWhole,
                  mayLag,
                  redactor,
                  findings,
                  memoryBudget));
      SnapshotRecords metrics =
          new SnapshotRecords(keptSnapshots, mayLag, redactor, findings, memoryBudget);
      new Replay(
              tracks,
              saved,
              snapshots,
              deadLetterCounts,
              specCatalog,
              alone,
              skew,
              findings,
              memoryBudget,
              unredactor,
              explained,
              metrics)
          .check(log, keyRange, inputs);
    }
  }

  private void noteRemoved(boolean hasAllAudits, boolean hasAllSnapshots) {
    if (!hasAllAudits || !hasAllSnapshots) {
      String what =
          hasAllAudits
              ? "snapshots"
              : hasAllSnapshots ? "fairness records" : "fairness records and snapshots";
      findings.note(Invariant.I3, what + " that retention has removed were not checked");
    }
  }
}
