package io.equipoise.audit.verify;

import io.equipoise.event.ContextLedger;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionLedger;
import io.equipoise.event.DecisionWhy;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.RewardLedger;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.join.Ledgers;
import io.equipoise.join.Ledgers.Account;
import java.util.List;

/**
 * Counts one segment's changes by the classes of the ledgers, to be held against the snapshot of
 * the same seq. What changes no state (repetitions, refusals) is held against the dead letters
 * elsewhere; here, against the snapshot before it: within an attempt it only grows, also over an
 * eviction of the segment.
 */
final class Recount {
  private static final List<Account> REFUSALS =
      List.of(
          Account.CONTEXT_DUPLICATE, // with those that conflict: hidden values hide which
          Account.REWARD_DUPLICATE,
          Account.REWARD_CONFLICTING,
          Account.REWARD_LATE,
          Account.REWARD_ORPHAN,
          Account.REWARD_UNLEARNT,
          Account.REWARD_INVALID);

  private long decided;
  private long rejected;
  private long stale;
  private long settled;
  private long expired;
  private long evicted;
  private long closedUnlearnt;
  private long applied;
  private long collected;
  private int attempt;
  private long[] refused = new long[REFUSALS.size()];

  /** Starts with nothing. */
  Recount() {}

  /** Goes on from what a savepoint has counted. */
  Recount(Ledgers saved) {
    decided = saved.get(Account.CONTEXT_DECIDED);
    rejected = saved.get(Account.CONTEXT_REJECTED);
    stale = saved.get(Account.CONTEXT_STALE);
    settled = saved.get(Account.DECISION_SETTLED);
    expired = saved.get(Account.DECISION_EXPIRED);
    evicted = saved.get(Account.DECISION_EVICTED);
    closedUnlearnt = saved.get(Account.DECISION_CLOSED_UNLEARNT);
    applied = saved.get(Account.REWARD_APPLIED);
    collected = saved.get(Account.REWARD_COLLECTED);
    refused = REFUSALS.stream().mapToLong(saved::get).toArray();
    refused[0] += saved.get(Account.CONTEXT_CONFLICTING);
  }

  void on(Decision decision) {
    if (decision.why() == DecisionWhy.REJECTED) {
      rejected++;
    } else if (decision.why() == DecisionWhy.STALE) {
      stale++;
    } else {
      decided++;
      closedUnlearnt += isLearnt(decision.why()) ? 0 : 1;
    }
  }

  /** Of a search for the best fair arm only samples are learnt from. */
  private static boolean isLearnt(DecisionWhy why) {
    return why != DecisionWhy.HOLD && why != DecisionWhy.SERVE;
  }

  void on(Outcome outcome) {
    switch (outcome.kind()) {
      case APPLIED -> {
        applied++;
        settled += outcome.detail() == null ? 1 : 0;
        closedUnlearnt += outcome.detail() == null ? 0 : 1;
      }
      case COLLECTED -> collected++;
      case EXPIRED, WINDOW_CLOSED -> close(outcome);
      case EVICTED -> evicted += outcome.decisionSeq() == null ? 0 : 1;
      default -> {} // touches no ledger
    }
  }

  /** A detail names why nothing was learnt. */
  private void close(Outcome outcome) {
    if (outcome.detail() != null) {
      closedUnlearnt++;
    } else if (outcome.kind() == OutcomeKind.WINDOW_CLOSED) {
      settled++;
    } else {
      expired++;
    }
  }

  /** Returns what a snapshot counts otherwise, or an empty text. */
  String difference(SegmentMetrics snapshot) {
    ContextLedger contexts = snapshot.contexts();
    DecisionLedger decisions = snapshot.decisions();
    RewardLedger rewards = snapshot.rewards();
    long ended =
        decisions.settled()
            + decisions.expired()
            + decisions.evicted()
            + decisions.closedUnlearnt();
    StringBuilder difference = new StringBuilder();
    compare(difference, "contexts decided", decided, contexts.decided());
    compare(difference, "contexts rejected", rejected, contexts.rejected());
    compare(difference, "contexts stale", stale, contexts.stale());
    compare(difference, "decisions settled", settled, decisions.settled());
    compare(difference, "decisions expired", expired, decisions.expired());
    compare(difference, "decisions evicted", evicted, decisions.evicted());
    compare(difference, "decisions closed unlearnt", closedUnlearnt, decisions.closedUnlearnt());
    compare(difference, "decisions awaiting", contexts.decided() - ended, decisions.awaiting());
    compare(difference, "rewards applied", applied, rewards.applied());
    compare(difference, "rewards collected", collected, rewards.collected());
    compareRefused(difference, snapshot);
    return difference.toString();
  }

  /** A later attempt may begin before refusals that a snapshot has counted already. */
  private void compareRefused(StringBuilder to, SegmentMetrics snapshot) {
    ContextLedger contexts = snapshot.contexts();
    RewardLedger rewards = snapshot.rewards();
    long[] now = {
      contexts.duplicate() + contexts.conflicting(),
      rewards.duplicate(),
      rewards.conflicting(),
      rewards.late(),
      rewards.orphan(),
      rewards.unlearnt(),
      rewards.invalid()
    };
    for (int i = 0; i < now.length && snapshot.attempt() == attempt; i++) {
      if (now[i] < refused[i]) {
        to.append(to.isEmpty() ? "" : "; ")
            .append(REFUSALS.get(i) + ": the ledger falls from " + refused[i] + " to " + now[i]);
      }
    }
    attempt = snapshot.attempt();
    refused = now;
  }

  private static void compare(StringBuilder to, String what, long expected, long found) {
    if (expected != found) {
      to.append(to.isEmpty() ? "" : "; ")
          .append(what + ": the log has " + expected + ", the ledger " + found);
    }
  }
}
