package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogTopic;
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
 * Judges all that goes by segment and seq (I3 to I6), share after share. Where a share does not fit
 * into memory, the segments are parted into twice as many and judged anew.
 */
final class SegmentChecks {
  private static final int MOST_SHARES = 1 << 12;

  private final CommittedLog log;
  private final SpecCatalog specCatalog;
  private final StartState startState;
  private final FindingsCollector findingsCollector;
  private final VerifyOptions verifyOptions;
  private final Unredactor unredactor;
  private final ReferenceRedactor veil;
  private final boolean mayLag;

  /**
   * Prepares to judge.
   *
   * @param mayLag whether some of what was written last may not have been appended yet
   */
  SegmentChecks(
      CommittedLog log,
      SpecCatalog specCatalog,
      StartState startState,
      FindingsCollector findingsCollector,
      VerifyOptions verifyOptions,
      Unredactor unredactor,
      ReferenceRedactor veil,
      boolean mayLag) {
    this.log = log;
    this.specCatalog = specCatalog;
    this.startState = startState;
    this.findingsCollector = findingsCollector;
    this.verifyOptions = verifyOptions;
    this.unredactor = unredactor;
    this.veil = veil;
    this.mayLag = mayLag;
  }

  /**
   * Judges all segments and returns in how many shares.
   *
   * @throws InconclusiveException if no number of shares fits
   */
  int check() {
    for (int count = 1; count <= MOST_SHARES; count *= 2) {
      try {
        check(count);
        return count;
      } catch (MemoryBudget.ExceededException e) {
        Set<Invariant> mine = EnumSet.copyOf(Replay.INVARIANTS);
        mine.add(Invariant.I1); // judged by origin only afterwards
        mine.add(Invariant.I4);
        findingsCollector.reopen(mine);
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
    long skew = verifyOptions.allowedSkew().toMillis();
    for (int index = 0; index < count; index++) {
      KeyRange keyRange = new KeyRange(index, count);
      MemoryBudget memoryBudget = new MemoryBudget(verifyOptions.memoryBytes());
      Map<String, SegmentSnapshot> saved =
          startState.segments(segment -> keyRange.has(segment.getBytes(StandardCharsets.UTF_8)));
      Map<String, SeqTrack> tracks =
          Sequences.check(log, keyRange, saved, findingsCollector, memoryBudget);
      Set<String> alone = new TreeSet<>();
      for (String segment : tracks.keySet()) {
        if (alone.size() < leftAlone) {
          alone.add(segment);
        }
      }
      leftAlone -= alone.size();
      Snapshots snapshots = Snapshots.read(log, keyRange, findingsCollector, memoryBudget);
      DeadLetterCounts letters = DeadLetterCounts.read(log, keyRange, memoryBudget);
      List<FairnessRecords> explained =
          List.of(
              new FairnessRecords(
                  LogTopic.AUDIT,
                  tracks,
                  saved,
                  kept,
                  areChangesWhole,
                  mayLag,
                  veil,
                  findingsCollector,
                  memoryBudget),
              new FairnessRecords(
                  LogTopic.EXPERIMENTS,
                  tracks,
                  saved,
                  keptExperiments,
                  areChangesWhole,
                  mayLag,
                  veil,
                  findingsCollector,
                  memoryBudget));
      SnapshotRecords metrics =
          new SnapshotRecords(keptSnapshots, mayLag, veil, findingsCollector, memoryBudget);
      new Replay(
              tracks,
              saved,
              snapshots,
              letters,
              specCatalog,
              alone,
              skew,
              findingsCollector,
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
      findingsCollector.note(Invariant.I3, what + " that retention has removed were not judged");
    }
  }
}
