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

  /**
   * Checks the disposition of every input record of a table (I1, I2, I7). Rewards that no output
   * names go to {@link OpenRewards}, because the job may still buffer them.
   *
   * @param mayRepeat whether {@link RepeatedDispositions} checks inputs with several dispositions
   */
  private record DispositionScan(
      InputRecords inputs, FindingsCollector findings, OpenRewards open, boolean mayRepeat) {
    /** Checks the records before an offset. */
    void check(DispositionTable table, long end) {
      OffsetRange offsetRange = table.slice();
      boolean isContexts = offsetRange.topic() == LogTopic.CONTEXTS;
      for (long offset = offsetRange.begin();
          offset < Math.min(end, offsetRange.reach());
          offset++) {
        if (!table.has(offset, DispositionTable.PRESENT)
            || table.has(offset, DispositionTable.OLD)) {
          continue;
        }
        if (!table.has(offset, DispositionTable.DECODABLE)) {
          undecodable(table, offset);
        } else if (isContexts) {
          context(table, offset);
        } else {
          reward(table, offset);
        }
      }
    }

    /** Returns whether retention may have removed its dead letter. */
    private static boolean isDeadLetterGone(DispositionTable table, long offset) {
      return table.deadLetters(offset) == 0
          && table.has(offset, DispositionTable.OLDER_THAN_DEAD_LETTERS);
    }

    private void undecodable(DispositionTable table, long offset) {
      if (isDeadLetterGone(table, offset)) {
        return;
      }
      findings.checked(Invariant.I7);
      if (table.deadLetters(offset) == 0) {
        violated(Invariant.I7, table, offset, "it cannot be decoded and has no dead letter");
      }
    }

    private void context(DispositionTable table, long offset) {
      int deadLetters = table.deadLetters(offset);
      if (deadLetters > 0) {
        findings.checked(Invariant.I7);
      }
      if (table.taken(offset) == 0 && table.has(offset, DispositionTable.REPEATED)) {
        repeated(table, offset);
        return;
      }
      if (table.taken(offset) == 0) {
        if (isDeadLetterGone(table, offset)) {
          return;
        }
        boolean isUnanswered = deadLetters > 0 && table.has(offset, DispositionTable.UNANSWERED);
        if (!isUnanswered) {
          findings.checked(Invariant.I1);
          violated(Invariant.I1, table, offset, "it has no decision");
        }
        return;
      }
      findings.checked(Invariant.I1);
      boolean isRejected = table.has(offset, DispositionTable.REJECTED);
      if (isDeadLetterGone(table, offset)) {
        return;
      }
      if (isRejected && deadLetters == 0) {
        findings.checked(Invariant.I7);
        violated(Invariant.I7, table, offset, "it was rejected and has no dead letter");
      } else if (isRejected && saysOtherwise(table, offset) && !mayRepeat) {
        violated(
            Invariant.I7, table, offset, "it has a decision, but its dead letter says it has none");
      } else if (!isRejected && deadLetters > 0 && !mayRepeat) {
        violated(Invariant.I7, table, offset, "it was accepted and has a dead letter");
      } else if (!isRejected && table.has(offset, DispositionTable.FAULTY)) {
        violated(Invariant.I7, table, offset, "it is invalid and was accepted");
      }
    }

    private static boolean saysOtherwise(DispositionTable table, long offset) {
      return table.has(offset, DispositionTable.UNANSWERED)
          || table.has(offset, DispositionTable.REPEATED_BY_DEAD_LETTER);
    }

    private void repeated(DispositionTable table, long offset) {
      findings.checked(Invariant.I1);
      if (isDeadLetterGone(table, offset)) {
        return;
      }
      findings.checked(Invariant.I7);
      if (table.deadLetters(offset) == 0) {
        violated(Invariant.I7, table, offset, "its decision is REPEATED and it has no dead letter");
      } else if (!table.has(offset, DispositionTable.REPEATED_BY_DEAD_LETTER)) {
        violated(
            Invariant.I7,
            table,
            offset,
            "its decision is REPEATED, but its dead letter has another code");
      }
    }

    private void reward(DispositionTable table, long offset) {
      int deadLetters = table.deadLetters(offset);
      if (deadLetters > 0) {
        findings.checked(Invariant.I7);
      }
      if (table.taken(offset) > 0) {
        findings.checked(Invariant.I2);
        if (deadLetters > 0 && !mayRepeat) {
          violated(Invariant.I2, table, offset, "it was applied and has a dead letter");
        } else if (table.has(offset, DispositionTable.FAULTY)) {
          violated(Invariant.I7, table, offset, "it is invalid and was applied");
        }
      } else if (isDeadLetterGone(table, offset)) {
        return;
      } else if (deadLetters == 0 && table.has(offset, DispositionTable.FAULTY)) {
        findings.checked(Invariant.I7);
        violated(Invariant.I7, table, offset, "it is invalid and has no dead letter");
      } else if (deadLetters == 0) {
        findings.checked(Invariant.I2);
        open.add(table.slice(), offset);
      }
    }

    private void violated(Invariant invariant, DispositionTable table, long offset, String why) {
      String key =
          findings.isClean(invariant)
              ? inputs.name(table.slice(), offset)
              : table.slice().place(offset);
      findings.violated(invariant, key, why);
    }
  }
}
