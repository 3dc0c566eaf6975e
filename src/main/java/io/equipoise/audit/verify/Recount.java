package io.equipoise.audit.verify;

import io.equipoise.event.Account;
import io.equipoise.event.ContextLedger;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionLedger;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.RewardLedger;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.state.Ledgers;
import java.util.List;

/**
 * Counts one segment's changes by ledger account, to compare them with a snapshot of the same seq.
 * Repeated and rejected inputs are no changes, so their counts are compared with the previous
 * snapshot: within a writer epoch they never decrease, even if the segment is passivated. {@link
 * DeadLetterCounts} compares them with the dead letters.
 *
 * <p>State: the counts of all changes so far, and the rejections and the writer epoch of the last
 * snapshot. {@link #difference} reads the former and replaces the latter, so it is called once for
 * each snapshot, in the order of seq.
 */
final class Recount {
  private static final List<Account> REJECTIONS =
      List.of(
          Account.CONTEXT_DUPLICATE, // includes conflicting ones, which redaction does not show
          Account.REWARD_DUPLICATE,
          Account.REWARD_CONFLICTING,
          Account.REWARD_LATE,
          Account.REWARD_ORPHAN,
          Account.REWARD_NOT_LEARNABLE,
          Account.REWARD_INVALID);

  private long decided;
  private long rejected;
  private long deadlineExceeded;
  private long settled;
  private long timedOut;
  private long evicted;
  private long closedNotLearnable;
  private long applied;
  private long buffered;
  private int writerEpoch;
  private long[] refused = new long[REJECTIONS.size()];

  Recount() {}

  /** Starts with the ledgers of a savepoint. */
  Recount(Ledgers saved) {
    decided = saved.get(Account.CONTEXT_DECIDED);
    rejected = saved.get(Account.CONTEXT_REJECTED);
    deadlineExceeded = saved.get(Account.CONTEXT_DEADLINE_EXCEEDED);
    settled = saved.get(Account.DECISION_SETTLED);
    timedOut = saved.get(Account.DECISION_TIMED_OUT);
    evicted = saved.get(Account.DECISION_EVICTED);
    closedNotLearnable = saved.get(Account.DECISION_CLOSED_NOT_LEARNABLE);
    applied = saved.get(Account.REWARD_APPLIED);
    buffered = saved.get(Account.REWARD_BUFFERED);
    refused = REJECTIONS.stream().mapToLong(saved::get).toArray();
    refused[0] += saved.get(Account.CONTEXT_CONFLICTING);
  }

  void on(Decision decision) {
    if (decision.reason() == DecisionReason.REJECTED) {
      rejected++;
    } else if (decision.reason() == DecisionReason.DEADLINE_EXCEEDED) {
      deadlineExceeded++;
    } else {
      decided++;
      closedNotLearnable += isLearned(decision.reason()) ? 0 : 1;
    }
  }

  /** Best-arm experiments learn from samples only. */
  private static boolean isLearned(DecisionReason reason) {
    return reason != DecisionReason.NOT_SAMPLED && reason != DecisionReason.RECOMMENDED;
  }

  void on(SegmentEvent segmentEvent) {
    switch (segmentEvent.type()) {
      case REWARD_APPLIED -> {
        applied++;
        settled += segmentEvent.reason() == null ? 1 : 0;
        closedNotLearnable += segmentEvent.reason() == null ? 0 : 1;
      }
      case REWARD_BUFFERED -> buffered++;
      case REWARD_TIMEOUT, WINDOW_CLOSED -> close(segmentEvent);
      case DECISION_EVICTED -> evicted++;
      default -> {} // changes no ledger
    }
  }

  /** A reason states why nothing was learned. */
  private void close(SegmentEvent segmentEvent) {
    if (segmentEvent.reason() != null) {
      closedNotLearnable++;
    } else if (segmentEvent.type() == SegmentEventType.WINDOW_CLOSED) {
      settled++;
    } else {
      timedOut++;
    }
  }

  /** Returns the accounts that differ in a snapshot, or an empty text. */
  String difference(SegmentMetrics snapshot) {
    ContextLedger contexts = snapshot.contexts();
    DecisionLedger decisions = snapshot.decisions();
    RewardLedger rewards = snapshot.rewards();
    long ended = decisions.made() - decisions.awaiting();
    StringBuilder difference = new StringBuilder();
    compare(difference, "contexts decided", decided, contexts.decided());
    compare(difference, "contexts rejected", rejected, contexts.rejected());
    compare(difference, "contexts past deadline", deadlineExceeded, contexts.deadlineExceeded());
    compare(difference, "decisions settled", settled, decisions.settled());
    compare(difference, "decisions timed out", timedOut, decisions.timedOut());
    compare(difference, "decisions evicted", evicted, decisions.evicted());
    compare(
        difference,
        "decisions closed, not learnable",
        closedNotLearnable,
        decisions.closedNotLearnable());
    compare(difference, "decisions pending", contexts.decided() - ended, decisions.awaiting());
    compare(difference, "rewards applied", applied, rewards.applied());
    compare(difference, "rewards buffered", buffered, rewards.buffered());
    compareRefused(difference, snapshot);
    return difference.toString();
  }

  /** A later writer epoch may start before rejections that a snapshot has already counted. */
  private void compareRefused(StringBuilder to, SegmentMetrics snapshot) {
    ContextLedger contexts = snapshot.contexts();
    RewardLedger rewards = snapshot.rewards();
    long[] now = {
      contexts.duplicate() + contexts.conflicting(),
      rewards.duplicate(),
      rewards.conflicting(),
      rewards.late(),
      rewards.orphan(),
      rewards.notLearnable(),
      rewards.invalid()
    };
    for (int i = 0; i < now.length && snapshot.writerEpoch() == writerEpoch; i++) {
      if (now[i] < refused[i]) {
        to.append(to.isEmpty() ? "" : "; ")
            .append(REJECTIONS.get(i) + ": the ledger falls from " + refused[i] + " to " + now[i]);
      }
    }
    writerEpoch = snapshot.writerEpoch();
    refused = now;
  }

  private static void compare(StringBuilder to, String what, long expected, long found) {
    if (expected != found) {
      to.append(to.isEmpty() ? "" : "; ")
          .append(what + ": the log has " + expected + ", the ledger " + found);
    }
  }
}
