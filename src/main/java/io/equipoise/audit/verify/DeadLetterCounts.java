package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.event.Account;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts a share's dead letters by segment and class of ledger. A letter carries no seq, so a
 * snapshot is held to this: no more were counted than there are letters.
 */
final class DeadLetterCounts {
  private static final long BYTES = 256;

  private final Map<String, Map<Account, Long>> bySegment = new TreeMap<>();
  private final String contexts;
  private final boolean isWhole;

  private DeadLetterCounts(String contexts, boolean isWhole) {
    this.contexts = contexts;
    this.isWhole = isWhole;
  }

  /** Counts the letters of a share. */
  static DeadLetterCounts read(CommittedLog log, KeyRange keyRange, MemoryBudget memoryBudget) {
    DeadLetterCounts counts =
        new DeadLetterCounts(
            log.slices(LogTopic.CONTEXTS).stream().findFirst().map(it -> it.name()).orElse(""),
            Sequences.isWhole(log, LogTopic.DEAD_LETTER));
    try (LogReader reader = log.read(log.slices(LogTopic.DEAD_LETTER))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        if (keyRange.has(at.key())) {
          counts.take(at, memoryBudget);
        }
      }
    }
    return counts;
  }

  private void take(LogRecord at, MemoryBudget memoryBudget) {
    DeadLetter letter;
    try {
      letter = Wire.DEAD_LETTER.decode(Payloads.value(at));
    } catch (WireException e) {
      return; // I7 tells
    }
    Account account = account(letter);
    if (letter.segment() == null || account == null) {
      return;
    }
    if (!bySegment.containsKey(letter.segment())) {
      memoryBudget.reserve(BYTES);
    }
    bySegment
        .computeIfAbsent(letter.segment(), segment -> new TreeMap<>())
        .merge(account, 1L, Long::sum);
  }

  /** Where values are hidden the two accounts of repeated contexts have one code. */
  private @Nullable Account account(DeadLetter letter) {
    boolean isContext = letter.topic().equals(contexts);
    Account.Ledger ledger = isContext ? Account.Ledger.CONTEXT : Account.Ledger.REWARD;
    ErrorCode code = ErrorCode.of(letter.code());
    Account account =
        code == null
            ? null
            : code.accounts().stream()
                .filter(each -> each.ledger() == ledger)
                .findFirst()
                .orElse(null);
    return account == Account.CONTEXT_CONFLICTING ? Account.CONTEXT_DUPLICATE : account;
  }

  /**
   * Returns which class of a snapshot counts more than there are letters, or an empty text; always
   * that where retention removed letters.
   */
  String excess(SegmentMetrics snapshot) {
    if (!isWhole) {
      return "";
    }
    StringBuilder excess = new StringBuilder();
    Map<Account, Long> letters = bySegment.getOrDefault(snapshot.segment(), Map.of());
    long repeated = snapshot.contexts().duplicate() + snapshot.contexts().conflicting();
    compare(excess, letters, Account.CONTEXT_DUPLICATE, repeated);
    compare(excess, letters, Account.REWARD_DUPLICATE, snapshot.rewards().duplicate());
    compare(excess, letters, Account.REWARD_CONFLICTING, snapshot.rewards().conflicting());
    compare(excess, letters, Account.REWARD_LATE, snapshot.rewards().late());
    compare(excess, letters, Account.REWARD_ORPHAN, snapshot.rewards().orphan());
    compare(excess, letters, Account.REWARD_NOT_LEARNABLE, snapshot.rewards().notLearnable());
    compare(excess, letters, Account.REWARD_INVALID, snapshot.rewards().invalid());
    return excess.toString();
  }

  private static void compare(
      StringBuilder to, Map<Account, Long> letters, Account account, long counted) {
    long found = letters.getOrDefault(account, 0L);
    if (counted > found) {
      to.append(to.isEmpty() ? "" : "; ")
          .append(account + ": the ledger has " + counted + ", the dead letter " + found);
    }
  }
}
