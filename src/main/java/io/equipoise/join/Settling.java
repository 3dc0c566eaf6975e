package io.equipoise.join;

import io.equipoise.bandit.UnusableRequestException;
import io.equipoise.event.ContentDigest;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.RewardEvent;
import io.equipoise.join.Ledgers.Account;
import io.equipoise.spec.Aggregate;
import io.equipoise.spec.Encoded;
import io.equipoise.spec.Release;
import io.equipoise.spec.RewardRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reward brings. Its class is a function of the event and of the state that the log records:
 * its decision awaits it, has ended, was never learnt from, or is not known (yet).
 */
final class Settling {
  /** Rewards that one decision takes; more would let a single id fill the state. */
  static final int MAX_REWARDS = 256;

  private final Turn turn;
  private final Changes changes;
  private final Closing closing;

  Settling(Turn turn, Changes changes, Closing closing) {
    this.turn = turn;
    this.changes = changes;
    this.closing = closing;
  }

  /**
   * Handles a reward and returns the account of ledger (c) that it belongs to; the caller books it.
   */
  Account onReward(RewardEvent event) {
    @Nullable ErrorCode fault = event.fault();
    if (fault != null) {
      return invalid(event, fault, String.valueOf(event.faultMessage()));
    }
    CompiledSpec spec = turn.spec;
    if (spec == null) {
      return invalid(
          event,
          ErrorCode.UNKNOWN_SEGMENT,
          "no spec covers segment " + turn.segment + "; publish one or correct the segment");
    }
    boolean aggregates = spec.spec().join().aggregate() != Aggregate.FIRST;
    if (aggregates && event.rewardId() == null) {
      return invalid(
          event,
          ErrorCode.MISSING_REWARD_ID,
          "this segment aggregates rewards; give each a reward_id");
    }
    Entry.Seen seen =
        new Entry.Seen(
            aggregates ? IdHash.of(String.valueOf(event.rewardId())).high() : 0,
            ContentDigest.of(event));
    IdHash id = IdHash.of(event.decisionId());
    Entry known = turn.state.entry(id);
    if (known instanceof Entry.Awaiting decision) {
      return settle(event, seen, id, decision, spec);
    }
    if (known instanceof Entry.Tombstone tombstone) {
      return afterTheEnd(event, seen, tombstone);
    }
    return hold(event, seen, id, (Entry.Early) known, spec);
  }

  private Account settle(
      RewardEvent event, Entry.Seen seen, IdHash id, Entry.Awaiting decision, CompiledSpec spec) {
    @Nullable Account repeated = repeated(event, seen, decision.seen());
    if (repeated != null) {
      return repeated;
    }
    if (event.eventTime() > decision.contextTime() + spec.windowMillis()) {
      return refused(event, ErrorCode.LATE, Account.REWARD_LATE, "it lies past the reward window");
    }
    if (!changes.meanings().isOfModel(decision)) {
      return refused(
          event,
          ErrorCode.MODEL_CHANGED,
          Account.REWARD_UNLEARNT,
          "its decision was made with statistics that a new spec has replaced");
    }
    if (decision.seen().size() >= MAX_REWARDS) {
      return invalid(
          event, ErrorCode.TOO_MANY_REWARDS, "a decision takes " + MAX_REWARDS + " rewards");
    }
    Encoded mediators = spec.encoder().encodeMediators(event.mediators());
    if (!mediators.isValid()) {
      return invalid(event, Faults.code(mediators), Faults.message(mediators));
    }
    RewardRule rule = spec.spec().reward();
    if (rule.bounded()
        && (event.reward() < rule.range().low() || event.reward() > rule.range().high())) {
      return invalid(
          event,
          ErrorCode.REWARD_OUT_OF_RANGE,
          "rewards lie in [%s, %s]; declare bounded: false if single ones may not"
              .formatted(rule.range().low(), rule.range().high()));
    }
    String refusal = spec.bandit().refusalOf(event.reward());
    if (refusal != null && spec.spec().join().aggregate() != Aggregate.SUM) {
      return invalid(event, ErrorCode.REWARD_OUT_OF_RANGE, refusal);
    }
    String arm = event.shownArm() == null ? turn.head.arms.get(decision.arm()) : event.shownArm();
    if (!changes.knows(decision, arm)) {
      return invalid(
          event,
          ErrorCode.UNKNOWN_ARM,
          "the arm shown is in no spec that the model has learnt under and was not a candidate");
    }
    boolean isOnlyOne = spec.spec().join().aggregate() == Aggregate.FIRST;
    if (isOnlyOne && !spec.bandit().canLearn(mediators.levels())) {
      return invalid(event, ErrorCode.MISSING_MEDIATOR, spec.bandit().needsOfMediators());
    }
    if (isOnlyOne && spec.spec().join().release() == Release.AT_ONCE) {
      return apply(event, seen, id, decision, arm, mediators.levels());
    }
    return collect(event, seen, id, decision, arm, mediators.levels());
  }

  private Account apply(
      RewardEvent event,
      Entry.Seen seen,
      IdHash id,
      Entry.Awaiting decision,
      String arm,
      int[] mediators) {
    try {
      changes.learn(decision, arm, mediators, event.reward());
    } catch (UnusableRequestException e) {
      return invalid(event, ErrorCode.UNUSABLE_FEATURES, String.valueOf(e.getMessage()));
    }
    changes.close(id, decision, Account.DECISION_SETTLED, true);
    turn.journal.write(
        turn.journal
            .outcome(OutcomeKind.APPLIED, event.eventTime())
            .decision(id, changes.meanings().translated(decision))
            .reward(event)
            .arm(arm)
            .mediators(mediators)
            .learned(event.reward()));
    closing.bury(id, decision, Entry.Fate.SETTLED, List.of(seen));
    new Phases(turn, changes).closeDone(event.eventTime());
    return Account.REWARD_APPLIED;
  }

  private Account collect(
      RewardEvent event,
      Entry.Seen seen,
      IdHash id,
      Entry.Awaiting decision,
      String arm,
      int[] mediators) {
    boolean isOtherArm = !arm.equals(turn.head.arms.get(decision.arm()));
    Collected before = changes.meanings().translated(decision).collected();
    if (before != null && (before.contradicts(mediators) || isOtherArm)) {
      return refused(
          event,
          ErrorCode.CONFLICT,
          Account.REWARD_CONFLICTING,
          "it names another arm or other mediators than the rewards before it");
    }
    int position = turn.head.positionOf(arm); // grows the arms: only together with a logged change
    Entry.Awaiting grown =
        changes.collected(
            id, decision, position, seen, event.reward(), event.eventTime(), mediators);
    turn.journal.write(
        turn.journal
            .outcome(OutcomeKind.COLLECTED, event.eventTime())
            .decision(id, grown)
            .reward(event)
            .mediators(mediators));
    turn.state.putEntry(id, grown);
    return Account.REWARD_COLLECTED;
  }

  private Account afterTheEnd(RewardEvent event, Entry.Seen seen, Entry.Tombstone tombstone) {
    @Nullable Account repeated = repeated(event, seen, tombstone.seen());
    if (repeated != null) {
      return repeated;
    }
    if (tombstone.fate() == Entry.Fate.UNLEARNT) {
      return refused(
          event,
          ErrorCode.UNLEARNT,
          Account.REWARD_UNLEARNT,
          "its decision was rejected, stale, no sample of an experiment or closed unlearnt");
    }
    return refused(event, ErrorCode.LATE, Account.REWARD_LATE, "its decision has ended");
  }

  private Account hold(
      RewardEvent event,
      Entry.Seen seen,
      IdHash id,
      Entry.@Nullable Early early,
      CompiledSpec spec) {
    List<RewardEvent> held = new ArrayList<>(early == null ? List.of() : early.held());
    @Nullable Account repeated = repeated(event, seen, identities(held, spec));
    if (repeated != null) {
      return repeated;
    }
    if (held.size() >= MAX_REWARDS) {
      return invalid(
          event, ErrorCode.TOO_MANY_REWARDS, "a decision takes " + MAX_REWARDS + " rewards");
    }
    held.add(event);
    long due = Turn.plausibleTime(event) + turn.earlyMillis();
    if (early == null) {
      closing.await(id, new Entry.Early(due, 0, held));
    } else {
      turn.state.putEntry(id, new Entry.Early(Math.max(due, early.due()), early.bucket(), held));
    }
    return Account.REWARD_HELD_EARLY;
  }

  private static List<Entry.Seen> identities(List<RewardEvent> held, CompiledSpec spec) {
    boolean aggregates = spec.spec().join().aggregate() != Aggregate.FIRST;
    List<Entry.Seen> identities = new ArrayList<>(held.size());
    for (RewardEvent event : held) {
      identities.add(
          new Entry.Seen(
              aggregates ? IdHash.of(String.valueOf(event.rewardId())).high() : 0,
              ContentDigest.of(event)));
    }
    return identities;
  }

  private @Nullable Account repeated(RewardEvent event, Entry.Seen seen, List<Entry.Seen> before) {
    for (Entry.Seen one : before) {
      if (one.identity() == seen.identity()) {
        return one.content() == seen.content()
            ? refused(
                event,
                ErrorCode.DUPLICATE,
                Account.REWARD_DUPLICATE,
                "the same reward was taken before")
            : refused(
                event,
                ErrorCode.CONFLICT,
                Account.REWARD_CONFLICTING,
                "another reward was taken under this identity; to send several, aggregate and"
                    + " give each a reward_id");
      }
    }
    return null;
  }

  private Account invalid(RewardEvent event, ErrorCode code, String message) {
    return refused(event, code, Account.REWARD_INVALID, message);
  }

  private Account refused(RewardEvent event, ErrorCode code, Account account, String message) {
    turn.journal.deadLetter(event, code, message);
    return account;
  }
}
