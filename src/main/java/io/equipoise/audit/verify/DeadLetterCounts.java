package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.event.Account;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Place;
import io.equipoise.event.SegmentChange;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the dead letters of a key range by segment and ledger account, to bound what a snapshot
 * counts. It must not count more than there are dead letters, nor less than there are of its own
 * writer epoch before it: a dead letter names the segment's last change, and a ledger never
 * decreases.
 */
final class DeadLetterCounts {
  private static final long BYTES = 256;

  /** Of the number of dead letters up to a change. */
  private static final long BYTES_OF_CHANGE = 96;

  private final Map<String, Map<Account, Refusals>> bySegment = new TreeMap<>();
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
        .computeIfAbsent(account, each -> new Refusals())
        .take(deadLetter.change(), memoryBudget);
  }

  /** Counts the dead letters of an account, and for each writer epoch those up to each change. */
  private static final class Refusals {
    private long all;
    private final Map<Integer, TreeMap<Long, Long>> upTo = new TreeMap<>();

    /** One that no state of the segment counts, or that is out of order, is in the sum only. */
    void take(@Nullable SegmentChange change, MemoryBudget memoryBudget) {
      all++;
      if (change == null || change.seq() == SegmentWithoutSpec.UNNUMBERED) {
        return;
      }
      TreeMap<Long, Long> ofEpoch =
          upTo.computeIfAbsent(change.writerEpoch(), epoch -> new TreeMap<>());
      Map.Entry<Long, Long> last = ofEpoch.lastEntry();
      if (last == null || last.getKey() < change.seq()) {
        memoryBudget.reserve(BYTES_OF_CHANGE);
        ofEpoch.put(change.seq(), last == null ? 1 : last.getValue() + 1);
      } else if (last.getKey() == change.seq()) {
        ofEpoch.put(change.seq(), last.getValue() + 1);
      }
    }

    long before(Place place) {
      TreeMap<Long, Long> ofEpoch = upTo.get(place.writerEpoch());
      Map.Entry<Long, Long> last = ofEpoch == null ? null : ofEpoch.lowerEntry(place.seq());
      return last == null ? 0 : last.getValue();
    }
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
   * Returns the accounts of a snapshot that the dead letters contradict, or an empty text. If
   * retention removed dead letters, a snapshot may count more than there are.
   */
  String difference(SegmentMetrics snapshot) {
    StringBuilder difference = new StringBuilder();
    long repeated = snapshot.contexts().duplicate() + snapshot.contexts().conflicting();
    compare(difference, snapshot, Account.CONTEXT_DUPLICATE, repeated);
    compare(difference, snapshot, Account.REWARD_DUPLICATE, snapshot.rewards().duplicate());
    compare(difference, snapshot, Account.REWARD_CONFLICTING, snapshot.rewards().conflicting());
    compare(difference, snapshot, Account.REWARD_LATE, snapshot.rewards().late());
    compare(difference, snapshot, Account.REWARD_ORPHAN, snapshot.rewards().orphan());
    compare(difference, snapshot, Account.REWARD_NOT_LEARNABLE, snapshot.rewards().notLearnable());
    compare(difference, snapshot, Account.REWARD_INVALID, snapshot.rewards().invalid());
    return difference.toString();
  }

  private void compare(StringBuilder to, SegmentMetrics snapshot, Account account, long counted) {
    Map<Account, Refusals> ofSegment = bySegment.getOrDefault(snapshot.segment(), Map.of());
    Refusals found = ofSegment.get(account);
    long before = found == null ? 0 : found.before(snapshot.place());
    long all = found == null ? 0 : found.all;
    if (counted < before || (isWhole && counted > all)) {
      to.append(to.isEmpty() ? "" : "; ")
          .append(account + ": the ledger counts " + counted + ", the dead-letter topic ")
          .append(counted < before ? before + " before it" : all);
    }
  }
}
