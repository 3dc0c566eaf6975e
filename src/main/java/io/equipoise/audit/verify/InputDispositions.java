package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks the disposition of every context and every reward by origin (I1, I2, I7). Decisions,
 * applied rewards and dead letters name the topic, partition and offset of their input, so {@value
 * DispositionTable#BYTES} bytes per offset suffice. One pass covers as many offsets as memory
 * allows and reads the outputs once.
 *
 * <p>A live log is checked up to the frontier of each partition, the last record that an output
 * names. The log of a job that was stopped for good is checked to its end.
 *
 * @param history the writer epochs, each of which may have read inputs again
 * @param backlog takes the inputs after the frontiers
 */
record InputDispositions(
    CommittedLog log,
    InputRecords inputs,
    FindingsCollector findings,
    long memoryBytes,
    boolean isFinal,
    WriterEpochHistory history,
    DeadLetterOpener opener,
    AppliedRewards applied,
    Backlog backlog) {
  private static final long MOST_OFFSETS = 1 << 30;

  /**
   * Checks all inputs; returns the number of passes.
   *
   * @param isFromSavepoint whether the inputs begin where a savepoint had read them
   * @throws InconclusiveException if more rewards are open than memory allows
   */
  int check(Horizons horizons, boolean isFromSavepoint) {
    boolean areChangesKept = isFromSavepoint && findings.isChecked(Invariant.I4);
    OpenRewards open = new OpenRewards(memoryBytes);
    boolean mayRepeat = !history.isPlain();
    DispositionScan scan = new DispositionScan(inputs, findings, open, mayRepeat);
    RepeatedDispositions repeated = new RepeatedDispositions(log, inputs, findings, history);
    List<List<OffsetRange>> windows = windows();
    KeptOutputs kept = KeptOutputs.of(log, areChangesKept, findings);
    try {
      for (int pass = 0; pass < windows.size(); pass++) {
        DispositionPass reading =
            new DispositionPass(log, inputs, findings, pass == 0, kept, mayRepeat, opener, applied);
        for (DispositionTable table : reading.read(windows.get(pass))) {
          OffsetRange offsetRange = table.slice();
          long frontier = isFinal ? offsetRange.horizon() : reading.frontier(offsetRange);
          scan.check(table, Math.min(frontier, offsetRange.horizon()));
          repeated.add(table, Math.min(frontier, offsetRange.horizon()));
          backlog.add(table, frontier);
        }
        repeated.check();
        if (pass == 0 && !isFromSavepoint) {
          reading.noteUnread();
        }
      }
      open.check(log, inputs, horizons, findings);
    } catch (MemoryBudget.ExceededException e) {
      throw new InconclusiveException(
          "too many rewards wait for their context; give more --memory");
    }
    return windows.size();
  }

  /** Divides all inputs into windows that fit into memory; splits partitions where necessary. */
  private List<List<OffsetRange>> windows() {
    long most = Math.max(1, memoryBytes / DispositionTable.BYTES);
    List<List<OffsetRange>> windows = new ArrayList<>();
    List<OffsetRange> window = new ArrayList<>();
    long room = most;
    List<OffsetRange> all = new ArrayList<>(log.slices(LogTopic.CONTEXTS));
    all.addAll(log.slices(LogTopic.REWARDS));
    for (OffsetRange offsetRange : all) {
      long next = offsetRange.begin();
      while (next < offsetRange.reach()) {
        OffsetRange part = offsetRange.between(next, next + Math.min(room, MOST_OFFSETS));
        window.add(part);
        room -= part.size();
        next = part.reach();
        if (room == 0 || next < offsetRange.reach()) {
          windows.add(window);
          window = new ArrayList<>();
          room = most;
        }
      }
    }
    if (!window.isEmpty() || windows.isEmpty()) {
      windows.add(window);
    }
    return windows;
  }
}
