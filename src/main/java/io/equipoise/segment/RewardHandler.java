package io.equipoise.segment;

import io.equipoise.event.Account;
import io.equipoise.event.ContentDigest;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.InputFault;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.log.EventLogWriter;
import io.equipoise.segment.log.SegmentWithoutSpec;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.RewardAggregate;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segmentspec.Aggregate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reward brings. Its class is a function of the event and of the state that the log records:
 * its decision awaits it, has ended, was never learned from, or is not known (yet).
 */
public final class RewardHandler {
  /** Rewards that one decision takes; more would let a single id fill the state. */
  static final int MAX_REWARDS = 256;

  private final SegmentContext segmentContext;
  private final StateTransitions transitions;
  private final ExpiryHandler expiryHandler;
  private final Phases phases;
  private final Refutations refutations;
  private final EventLogWriter eventLog;

  RewardHandler(
      SegmentContext segmentContext,
      StateTransitions transitions,
      ExpiryHandler expiryHandler,
      Phases phases,
      Refutations refutations,
      EventLogWriter eventLog) {
    this.segmentContext = segmentContext;
    this.transitions = transitions;
    this.expiryHandler = expiryHandler;
    this.phases = phases;
    this.refutations = refutations;
    this.eventLog = eventLog;
  }

  /**
   * Handles a reward and returns the account of ledger (c) that it belongs to; the caller books it.
   */
  Account onReward(RewardEvent event) {
    @Nullable InputFault fault = event.fault();
    if (fault != null) {
      return refused(event, fault);
    }
    CompiledSpec spec = segmentContext.spec;
    if (spec == null) {
      return refused(event, SegmentWithoutSpec.fault(segmentContext.segment));
    }
    if (RewardReading.lacksId(event, spec)) {
      return refused(event, RewardReading.LACKS_ID);
    }
    boolean aggregates = spec.spec().join().aggregate() != Aggregate.FIRST;
    Entry.RewardFingerprint rewardFingerprint =
        new Entry.RewardFingerprint(
            aggregates ? IdHash.of(String.valueOf(event.rewardId())).high() : 0,
            ContentDigest.of(event));
    IdHash id = IdHash.of(event.decisionId());
    Entry known = segmentContext.state.entry(id);
    if (known instanceof Entry.PendingDecision decision) {
      return settle(event, rewardFingerprint, id, decision, spec);
    }
    if (known instanceof Entry.DedupEntry tombstone) {
      return afterTheEnd(event, rewardFingerprint, tombstone);
    }
    return hold(event, rewardFingerprint, id, (Entry.EarlyRewards) known, spec);
  }

  private Account settle(
      RewardEvent event,
      Entry.RewardFingerprint rewardFingerprint,
      IdHash id,
      Entry.PendingDecision decision,
      CompiledSpec spec) {
    @Nullable Account repeated = repeated(event, rewardFingerprint, decision.seen());
    if (repeated != null) {
      return repeated;
    }
    if (event.eventTime() > decision.contextTime() + spec.windowMillis()) {
      return refused(event, ErrorCode.LATE_REWARD, "it lies past the reward window");
    }
    if (!transitions.meanings().isOfModel(decision)) {
      return refused(
          event,
          ErrorCode.MODEL_CHANGED,
          "its decision was made with statistics that a new spec has replaced");
    }
    if (decision.seen().size() >= MAX_REWARDS) {
      return refused(
          event, ErrorCode.TOO_MANY_REWARDS, "a decision takes " + MAX_REWARDS + " rewards");
    }
    RewardReading reading = RewardReading.of(event, spec);
    @Nullable InputFault fault = reading.fault();
    if (fault != null) {
      return refused(event, fault);
    }
    int[] mediators = reading.mediators().levels();
    String arm = armOf(event, decision);
    if (!transitions.knows(decision, arm)) {
      return unknownShown(event, rewardFingerprint, id, decision, mediators);
    }
    if (spec.spec().join().isLearnedAtOnce()) {
      return apply(event, rewardFingerprint, id, decision, arm, mediators);
    }
    return collect(event, rewardFingerprint, id, decision, arm, mediators);
  }

  /**
   * Another of a request's own candidates may have been shown, of which nothing is remembered: then
   * nobody saw the arm decided, and nothing is learned of it, nor of silence. Where the request was
   * for the arms of the spec the name is mistaken, and may be corrected.
   */
  private Account unknownShown(
      RewardEvent event,
      Entry.RewardFingerprint rewardFingerprint,
      IdHash id,
      Entry.PendingDecision decision,
      int[] mediators) {
    if (decision.collected() != null) {
      return otherThanBefore(event);
    }
    if (!transitions.isOfOwnCandidates(decision)) {
      return refused(
          event,
          ErrorCode.UNKNOWN_ARM,
          "no spec that the model has learned under has the arm shown; name it as the decision's"
              + " candidates do");
    }
    untaught(event, id, decision, mediators);
    expiryHandler.markResolved(
        id, decision, Entry.Resolution.NOT_LEARNABLE, List.of(rewardFingerprint));
    return Account.REWARD_APPLIED;
  }

  /** Closes a decision by a reward of an arm that the model cannot learn of, and writes so. */
  public void untaught(
      RewardEvent event, IdHash id, Entry.PendingDecision decision, int[] mediators) {
    transitions.close(id, decision, Account.DECISION_CLOSED_NOT_LEARNABLE, false);
    eventLog.write(
        eventLog
            .segmentEvent(SegmentEventType.REWARD_APPLIED, event.eventTime())
            .decision(id, transitions.meanings().translated(decision))
            .reward(event)
            .arm(armOf(event, decision))
            .mediators(mediators)
            .unlearned(ErrorCode.UNKNOWN_ARM));
  }

  /** Returns the arm that a reward is learned of: the one chosen, unless it names the one shown. */
  public String armOf(RewardEvent event, Entry.PendingDecision decision) {
    String shown = event.shownArm();
    return shown == null ? segmentContext.head.arms.get(decision.arm()) : shown;
  }

  private Account apply(
      RewardEvent event,
      Entry.RewardFingerprint rewardFingerprint,
      IdHash id,
      Entry.PendingDecision decision,
      String arm,
      int[] mediators) {
    try {
      applied(event, id, decision, arm, mediators);
    } catch (RefusedByPolicyException e) {
      return refused(event, e.fault());
    }
    refutations.writeBounds(event.eventTime());
    expiryHandler.markResolved(id, decision, Entry.Resolution.SETTLED, List.of(rewardFingerprint));
    phases.closeDone(event.eventTime());
    refutations.writeAssumptions(event.eventTime());
    return Account.REWARD_APPLIED;
  }

  /**
   * Learns a reward, which its decision awaited, and writes so.
   *
   * @throws RefusedByPolicyException if the policy does not compute it; nothing has changed
   */
  public void applied(
      RewardEvent event, IdHash id, Entry.PendingDecision decision, String arm, int[] mediators) {
    transitions.learn(decision, arm, mediators, event.reward());
    transitions.close(id, decision, Account.DECISION_SETTLED, true);
    eventLog.write(
        eventLog
            .segmentEvent(SegmentEventType.REWARD_APPLIED, event.eventTime())
            .decision(id, transitions.meanings().translated(decision))
            .reward(event)
            .arm(arm)
            .mediators(mediators)
            .learned(event.reward()));
  }

  private Account collect(
      RewardEvent event,
      Entry.RewardFingerprint rewardFingerprint,
      IdHash id,
      Entry.PendingDecision decision,
      String arm,
      int[] mediators) {
    boolean isOtherArm = !arm.equals(segmentContext.head.arms.get(decision.arm()));
    RewardAggregate before = transitions.meanings().translated(decision).collected();
    if (before != null && (before.contradicts(mediators) || isOtherArm)) {
      return otherThanBefore(event);
    }
    segmentContext.state.putEntry(
        id, collected(event, rewardFingerprint, id, decision, arm, mediators));
    return Account.REWARD_BUFFERED;
  }

  private Account otherThanBefore(RewardEvent event) {
    return refused(
        event,
        ErrorCode.CONFLICTING_REWARD,
        "it names another arm or other mediators than the rewards before it");
  }

  /** Adds a reward to its decision, writes so, and returns the decision with it. */
  public Entry.PendingDecision collected(
      RewardEvent event,
      Entry.RewardFingerprint rewardFingerprint,
      IdHash id,
      Entry.PendingDecision decision,
      String arm,
      int[] mediators) {
    int position =
        segmentContext.head.positionOf(arm); // grows the arms: only together with a logged change
    Entry.PendingDecision grown =
        transitions.collected(
            id,
            decision,
            position,
            rewardFingerprint,
            event.reward(),
            event.eventTime(),
            mediators);
    eventLog.write(
        eventLog
            .segmentEvent(SegmentEventType.REWARD_BUFFERED, event.eventTime())
            .decision(id, grown)
            .reward(event)
            .mediators(mediators));
    return grown;
  }

  private Account afterTheEnd(
      RewardEvent event, Entry.RewardFingerprint rewardFingerprint, Entry.DedupEntry dedupEntry) {
    @Nullable Account repeated = repeated(event, rewardFingerprint, dedupEntry.seen());
    if (repeated != null) {
      return repeated;
    }
    if (dedupEntry.fate() == Entry.Resolution.NOT_LEARNABLE) {
      return refused(
          event,
          ErrorCode.DECISION_NOT_LEARNABLE,
          "its decision was rejected, stale, no sample of an experiment or closed not learned");
    }
    return refused(event, ErrorCode.DECISION_CLOSED, "its decision has ended");
  }

  private Account hold(
      RewardEvent event,
      Entry.RewardFingerprint rewardFingerprint,
      IdHash id,
      Entry.@Nullable EarlyRewards earlyRewards,
      CompiledSpec spec) {
    List<RewardEvent> held =
        new ArrayList<>(earlyRewards == null ? List.of() : earlyRewards.held());
    @Nullable Account repeated = repeated(event, rewardFingerprint, identities(held, spec));
    if (repeated != null) {
      return repeated;
    }
    if (held.size() >= MAX_REWARDS) {
      return refused(
          event, ErrorCode.TOO_MANY_REWARDS, "a decision takes " + MAX_REWARDS + " rewards");
    }
    held.add(event);
    long due = SegmentContext.plausibleTime(event) + segmentContext.earlyMillis();
    if (earlyRewards == null) {
      if (!expiryHandler.hold(id, new Entry.EarlyRewards(due, 0, held))) {
        return refused(
            event,
            ErrorCode.NO_ROOM,
            "no room: rewards of %d decisions wait for their contexts"
                .formatted(segmentContext.head.early));
      }
    } else {
      segmentContext.state.putEntry(
          id,
          new Entry.EarlyRewards(Math.max(due, earlyRewards.due()), earlyRewards.bucket(), held));
    }
    return Account.REWARD_HELD_EARLY;
  }

  private static List<Entry.RewardFingerprint> identities(
      List<RewardEvent> held, CompiledSpec spec) {
    boolean aggregates = spec.spec().join().aggregate() != Aggregate.FIRST;
    List<Entry.RewardFingerprint> identities = new ArrayList<>(held.size());
    for (RewardEvent event : held) {
      identities.add(
          new Entry.RewardFingerprint(
              aggregates ? IdHash.of(String.valueOf(event.rewardId())).high() : 0,
              ContentDigest.of(event)));
    }
    return identities;
  }

  private @Nullable Account repeated(
      RewardEvent event,
      Entry.RewardFingerprint rewardFingerprint,
      List<Entry.RewardFingerprint> before) {
    for (Entry.RewardFingerprint one : before) {
      if (one.identity() == rewardFingerprint.identity()) {
        return one.content() == rewardFingerprint.content()
            ? refused(event, ErrorCode.DUPLICATE_REWARD, "the same reward was taken before")
            : refused(
                event,
                ErrorCode.CONFLICTING_REWARD,
                "another reward was taken under this identity; to send several, aggregate and"
                    + " give each a reward_id");
      }
    }
    return null;
  }

  private Account refused(RewardEvent event, ErrorCode code, String message) {
    return refused(event, new InputFault(code, message));
  }

  private Account refused(RewardEvent event, InputFault fault) {
    eventLog.deadLetter(event, fault);
    return fault.code().rewardAccount();
  }
}
