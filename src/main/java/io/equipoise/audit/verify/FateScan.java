package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;

/**
 * Judges what became of every input record of a table (I1, I2, I7). Rewards that nothing names are
 * left to {@link OpenRewards}: they may rightly be held until their context comes.
 */
final class FateScan {
  private final InputRecords inputs;
  private final Docket docket;
  private final OpenRewards open;
  private final boolean mayRepeat;

  /**
   * Prepares to judge.
   *
   * @param mayRepeat whether {@link RepeatedFates} judges what has several fates
   */
  FateScan(InputRecords inputs, Docket docket, OpenRewards open, boolean mayRepeat) {
    this.inputs = inputs;
    this.docket = docket;
    this.open = open;
    this.mayRepeat = mayRepeat;
  }

  /** Judges the records before an offset. */
  void judge(FateTable table, long end) {
    Slice slice = table.slice();
    boolean isContexts = slice.topic() == LogTopic.CONTEXTS;
    for (long offset = slice.begin(); offset < Math.min(end, slice.reach()); offset++) {
      if (!table.has(offset, FateTable.PRESENT) || table.has(offset, FateTable.OLD)) {
        continue;
      }
      if (!table.has(offset, FateTable.DECODABLE)) {
        undecodable(table, offset);
      } else if (isContexts) {
        context(table, offset);
      } else {
        reward(table, offset);
      }
    }
  }

  /** Says whether its dead letter may have been removed. */
  private static boolean isLetterGone(FateTable table, long offset) {
    return table.letters(offset) == 0 && table.has(offset, FateTable.OLDER_THAN_LETTERS);
  }

  private void undecodable(FateTable table, long offset) {
    if (isLetterGone(table, offset)) {
      return;
    }
    docket.judged(Invariant.I7);
    if (table.letters(offset) == 0) {
      violated(Invariant.I7, table, offset, "it cannot be decoded and is in no dead letter");
    }
  }

  private void context(FateTable table, long offset) {
    int letters = table.letters(offset);
    if (letters > 0) {
      docket.judged(Invariant.I7);
    }
    if (table.taken(offset) == 0 && table.has(offset, FateTable.REPEATED)) {
      repeated(table, offset);
      return;
    }
    if (table.taken(offset) == 0) {
      if (isLetterGone(table, offset)) {
        return;
      }
      boolean isUnanswered = letters > 0 && table.has(offset, FateTable.UNANSWERED);
      if (!isUnanswered) {
        docket.judged(Invariant.I1);
        violated(Invariant.I1, table, offset, "no decision answers it");
      }
      return;
    }
    docket.judged(Invariant.I1);
    boolean isRejected = table.has(offset, FateTable.REJECTED);
    if (isLetterGone(table, offset)) {
      return;
    }
    if (isRejected && letters == 0) {
      docket.judged(Invariant.I7);
      violated(Invariant.I7, table, offset, "it was rejected and is in no dead letter");
    } else if (isRejected && saysOtherwise(table, offset) && !mayRepeat) {
      violated(Invariant.I7, table, offset, "it was answered, and its dead letter says it was not");
    } else if (!isRejected && letters > 0 && !mayRepeat) {
      violated(Invariant.I7, table, offset, "it was answered as good and is in the dead letter");
    } else if (!isRejected && table.has(offset, FateTable.FAULTY)) {
      violated(Invariant.I7, table, offset, "it is faulty and was answered as good");
    }
  }

  private static boolean saysOtherwise(FateTable table, long offset) {
    return table.has(offset, FateTable.UNANSWERED)
        || table.has(offset, FateTable.REPEATED_BY_LETTER);
  }

  private void repeated(FateTable table, long offset) {
    docket.judged(Invariant.I1);
    if (isLetterGone(table, offset)) {
      return;
    }
    docket.judged(Invariant.I7);
    if (table.letters(offset) == 0) {
      violated(Invariant.I7, table, offset, "it was answered REPEATED and is in no dead letter");
    } else if (!table.has(offset, FateTable.REPEATED_BY_LETTER)) {
      violated(
          Invariant.I7,
          table,
          offset,
          "it was answered REPEATED, and its dead letter gives another reason");
    }
  }

  private void reward(FateTable table, long offset) {
    int letters = table.letters(offset);
    if (letters > 0) {
      docket.judged(Invariant.I7);
    }
    if (table.taken(offset) > 0) {
      docket.judged(Invariant.I2);
      if (letters > 0 && !mayRepeat) {
        violated(Invariant.I2, table, offset, "it was applied and is in the dead letter");
      } else if (table.has(offset, FateTable.FAULTY)) {
        violated(Invariant.I7, table, offset, "it is faulty and was applied");
      }
    } else if (isLetterGone(table, offset)) {
      return;
    } else if (letters == 0 && table.has(offset, FateTable.FAULTY)) {
      docket.judged(Invariant.I7);
      violated(Invariant.I7, table, offset, "it is faulty and in no dead letter");
    } else if (letters == 0) {
      docket.judged(Invariant.I2);
      open.add(table.slice(), offset);
    }
  }

  private void violated(Invariant invariant, FateTable table, long offset, String why) {
    String key =
        docket.isClean(invariant)
            ? inputs.name(table.slice(), offset)
            : table.slice().place(offset);
    docket.violated(invariant, key, why);
  }
}
