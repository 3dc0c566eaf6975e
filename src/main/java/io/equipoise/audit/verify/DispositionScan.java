package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.OffsetRange;

/**
 * Judges what became of every input record of a table (I1, I2, I7). Rewards that nothing names are
 * left to {@link OpenRewards}: they may rightly be held until their context comes.
 */
final class DispositionScan {
  private final InputRecords inputs;
  private final FindingsCollector findingsCollector;
  private final OpenRewards open;
  private final boolean mayRepeat;

  /**
   * Prepares to judge.
   *
   * @param mayRepeat whether {@link RepeatedDispositions} judges what has several fates
   */
  DispositionScan(
      InputRecords inputs,
      FindingsCollector findingsCollector,
      OpenRewards open,
      boolean mayRepeat) {
    this.inputs = inputs;
    this.findingsCollector = findingsCollector;
    this.open = open;
    this.mayRepeat = mayRepeat;
  }

  /** Judges the records before an offset. */
  void check(DispositionTable table, long end) {
    OffsetRange offsetRange = table.slice();
    boolean isContexts = offsetRange.topic() == LogTopic.CONTEXTS;
    for (long offset = offsetRange.begin(); offset < Math.min(end, offsetRange.reach()); offset++) {
      if (!table.has(offset, DispositionTable.PRESENT) || table.has(offset, DispositionTable.OLD)) {
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

  /** Says whether its dead letter may have been removed. */
  private static boolean isLetterGone(DispositionTable table, long offset) {
    return table.deadLetters(offset) == 0 && table.has(offset, DispositionTable.OLDER_THAN_LETTERS);
  }

  private void undecodable(DispositionTable table, long offset) {
    if (isLetterGone(table, offset)) {
      return;
    }
    findingsCollector.judged(Invariant.I7);
    if (table.deadLetters(offset) == 0) {
      violated(Invariant.I7, table, offset, "it cannot be decoded and is in no dead letter");
    }
  }

  private void context(DispositionTable table, long offset) {
    int letters = table.deadLetters(offset);
    if (letters > 0) {
      findingsCollector.judged(Invariant.I7);
    }
    if (table.taken(offset) == 0 && table.has(offset, DispositionTable.REPEATED)) {
      repeated(table, offset);
      return;
    }
    if (table.taken(offset) == 0) {
      if (isLetterGone(table, offset)) {
        return;
      }
      boolean isUnanswered = letters > 0 && table.has(offset, DispositionTable.UNANSWERED);
      if (!isUnanswered) {
        findingsCollector.judged(Invariant.I1);
        violated(Invariant.I1, table, offset, "no decision answers it");
      }
      return;
    }
    findingsCollector.judged(Invariant.I1);
    boolean isRejected = table.has(offset, DispositionTable.REJECTED);
    if (isLetterGone(table, offset)) {
      return;
    }
    if (isRejected && letters == 0) {
      findingsCollector.judged(Invariant.I7);
      violated(Invariant.I7, table, offset, "it was rejected and is in no dead letter");
    } else if (isRejected && saysOtherwise(table, offset) && !mayRepeat) {
      violated(Invariant.I7, table, offset, "it was answered, and its dead letter says it was not");
    } else if (!isRejected && letters > 0 && !mayRepeat) {
      violated(Invariant.I7, table, offset, "it was answered as good and is in the dead letter");
    } else if (!isRejected && table.has(offset, DispositionTable.FAULTY)) {
      violated(Invariant.I7, table, offset, "it is faulty and was answered as good");
    }
  }

  private static boolean saysOtherwise(DispositionTable table, long offset) {
    return table.has(offset, DispositionTable.UNANSWERED)
        || table.has(offset, DispositionTable.REPEATED_BY_LETTER);
  }

  private void repeated(DispositionTable table, long offset) {
    findingsCollector.judged(Invariant.I1);
    if (isLetterGone(table, offset)) {
      return;
    }
    findingsCollector.judged(Invariant.I7);
    if (table.deadLetters(offset) == 0) {
      violated(Invariant.I7, table, offset, "it was answered REPEATED and is in no dead letter");
    } else if (!table.has(offset, DispositionTable.REPEATED_BY_LETTER)) {
      violated(
          Invariant.I7,
          table,
          offset,
          "it was answered REPEATED, and its dead letter gives another reason");
    }
  }

  private void reward(DispositionTable table, long offset) {
    int letters = table.deadLetters(offset);
    if (letters > 0) {
      findingsCollector.judged(Invariant.I7);
    }
    if (table.taken(offset) > 0) {
      findingsCollector.judged(Invariant.I2);
      if (letters > 0 && !mayRepeat) {
        violated(Invariant.I2, table, offset, "it was applied and is in the dead letter");
      } else if (table.has(offset, DispositionTable.FAULTY)) {
        violated(Invariant.I7, table, offset, "it is faulty and was applied");
      }
    } else if (isLetterGone(table, offset)) {
      return;
    } else if (letters == 0 && table.has(offset, DispositionTable.FAULTY)) {
      findingsCollector.judged(Invariant.I7);
      violated(Invariant.I7, table, offset, "it is faulty and in no dead letter");
    } else if (letters == 0) {
      findingsCollector.judged(Invariant.I2);
      open.add(table.slice(), offset);
    }
  }

  private void violated(Invariant invariant, DispositionTable table, long offset, String why) {
    String key =
        findingsCollector.isClean(invariant)
            ? inputs.name(table.slice(), offset)
            : table.slice().place(offset);
    findingsCollector.violated(invariant, key, why);
  }
}
