package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.event.Account;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentMetrics;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the dead letters of a key range by segment and ledger account. A dead letter has no seq of
 * its account, so the check is an upper bound: a snapshot must not count more than there are dead
 * letters.
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

  static DeadLetterCounts read(CommittedLog log, KeyRange keyRange, MemoryBudget memoryBudget) {
    DeadLetterCounts counts =
        new DeadLetterCounts(
            log.slices(LogTopic.CONTEXTS).stream().findFirst().map(it -> it.name()).orElse(""),
            Sequences.isWhole(log, LogTopic.DEAD_LETTER));
    DeadLetterOpener.read(
        log,
        (at, deadLetter) -> {
          if (keyRange.has(at.key())) {
            counts.take(deadLetter, memoryBudget);
          }
        });
    return counts;
  }

  private void take(DeadLetter deadLetter, MemoryBudget memoryBudget) {
    Account account = account(deadLetter);
    if (deadLetter.segment() == null || account == null) {
      return;
    }
    if (!bySegment.containsKey(deadLetter.segment())) {
      memoryBudget.reserve(BYTES);
    }
    bySegment
        .computeIfAbsent(deadLetter.segment(), segment -> new TreeMap<>())
        .merge(account, 1L, Long::sum);
  }

  /** With redaction, both accounts of repeated contexts share one error code. */
  private @Nullable Account account(DeadLetter deadLetter) {
    boolean isContext = deadLetter.source().topic().equals(contexts);
    Account.Ledger ledger = isContext ? Account.Ledger.CONTEXT : Account.Ledger.REWARD;
    ErrorCode code = ErrorCode.of(deadLetter.code());
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
   * Returns the accounts that count more in a snapshot than there are dead letters, or an empty
   * text. Returns an empty text if retention removed dead letters.
   */
  String excess(SegmentMetrics snapshot) {
    if (!isWhole) {
      return "";
    }
    StringBuilder excess = new StringBuilder();
    Map<Account, Long> found = bySegment.getOrDefault(snapshot.segment(), Map.of());
    long repeated = snapshot.contexts().duplicate() + snapshot.contexts().conflicting();
    compare(excess, found, Account.CONTEXT_DUPLICATE, repeated);
    compare(excess, found, Account.REWARD_DUPLICATE, snapshot.rewards().duplicate());
    compare(excess, found, Account.REWARD_CONFLICTING, snapshot.rewards().conflicting());
    compare(excess, found, Account.REWARD_LATE, snapshot.rewards().late());
    compare(excess, found, Account.REWARD_ORPHAN, snapshot.rewards().orphan());
    compare(excess, found, Account.REWARD_NOT_LEARNABLE, snapshot.rewards().notLearnable());
    compare(excess, found, Account.REWARD_INVALID, snapshot.rewards().invalid());
    return excess.toString();
  }

  private static void compare(
      StringBuilder to, Map<Account, Long> deadLetters, Account account, long counted) {
    long found = deadLetters.getOrDefault(account, 0L);
    if (counted > found) {
      to.append(to.isEmpty() ? "" : "; ")
          .append(account + ": the ledger counts " + counted + ", the dead-letter topic " + found);
    }
  }
}
