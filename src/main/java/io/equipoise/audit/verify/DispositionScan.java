package io.equipoise.audit.verify;

import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;

/**
 * Checks the disposition of every input record of a table (I1, I2, I7). Rewards that no output
 * names go to {@link OpenRewards}, because the job may still buffer them.
 *
 * @param mayRepeat whether {@link RepeatedDispositions} checks inputs with several dispositions
 */
record DispositionScan(
    InputRecords inputs, FindingsCollector findings, OpenRewards open, boolean mayRepeat) {
  /** Checks the records before an offset. */
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
