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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Applies, buffers, holds or rejects a reward. The choice is a function of the event and of the
 * state that the log records: its decision waits for it, has ended, was never learned from, or is
 * not known (yet).
 */
public final class RewardHandler {
  /** Maximum number of rewards of one decision; without it a single id could fill the state. */
  static final int MAX_REWARDS = 256;

  /** Names an arm that the state does not keep. */
  private static final String OTHER = "another arm, or none,";

  private final SegmentSession session;
  private final SegmentContext segmentContext;
  private final StateTransitions transitions;
  private final EventLogWriter eventLog;

  RewardHandler(SegmentSession session) {
    this.session = session;
    this.segmentContext = session.segmentContext;
    this.transitions = session.transitions;
    this.eventLog = session.eventLog;
  }

  /**
   * Joins a reward with the id of its decision.
   *
   * @param fingerprint recognizes a repetition
   */
  private record Arrived(RewardEvent event, IdHash id, Entry.RewardFingerprint fingerprint) {
    static Arrived of(RewardEvent event, CompiledSpec spec) {
      return new Arrived(event, IdHash.of(event.decisionId()), fingerprintOf(event, spec));
    }
  }

  /**
   * Handles a reward and returns its account in the ledger of rewards; the caller counts it there.
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
    Arrived reward = Arrived.of(event, spec);
    Entry known = segmentContext.state.entry(reward.id);
    if (known instanceof Entry.PendingDecision decision) {
      return settle(reward, decision, spec);
    }
    if (known instanceof Entry.DedupEntry dedupEntry) {
      return afterTheEnd(reward, dedupEntry);
    }
    return hold(reward, (Entry.EarlyRewards) known, spec);
  }

  private Account settle(Arrived reward, Entry.PendingDecision decision, CompiledSpec spec) {
    RewardEvent event = reward.event;
    String confirmed =
        decision.isShownConfirmed() ? segmentContext.head.arms.get(decision.arm()) : OTHER;
    @Nullable Account repeated = repeated(reward, decision.seen(), confirmed);
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
    if (event.isConfirmation() && event.shownArm() == null) {
      return notTaught(reward, decision, mediators);
    }
    if (!transitions.knows(decision, arm)) {
      return unknownShown(reward, decision, mediators);
    }
    if (event.isConfirmation()) {
      return confirm(reward, decision, arm);
    }
    if (decision.isShownConfirmed() && isOtherArm(decision, arm)) {
      return otherThanBefore(event);
    }
    if (spec.spec().join().isLearnedAtOnce()) {
      return apply(reward, decision, arm, mediators);
    }
    return collect(reward, decision, arm, mediators);
  }

  /**
   * Handles a reward that names an unknown arm as shown. The client may have shown a candidate of
   * its request that we did not decide. We have no features of it, so we learn neither from this
   * reward nor from its absence. If the request was for the arms of the spec, the name is an error,
   * and may be corrected.
   */
  private Account unknownShown(Arrived reward, Entry.PendingDecision decision, int[] mediators) {
    RewardEvent event = reward.event;
    if (!transitions.isOfOwnCandidates(decision)) {
      return refused(
          event,
          ErrorCode.UNKNOWN_ARM,
          "no spec that the model has learned under has the arm shown");
    }
    return notTaught(reward, decision, mediators);
  }

  /** Closes a decision without learning from it, since none of its known candidates was shown. */
  private Account notTaught(Arrived reward, Entry.PendingDecision decision, int[] mediators) {
    RewardEvent event = reward.event;
    if (decision.collected() != null || decision.isShownConfirmed()) {
      return otherThanBefore(event);
    }
    untaught(event, reward.id, decision, mediators);
    session.expiry.markResolved(
        reward.id, decision, Entry.Resolution.NOT_LEARNABLE, List.of(reward.fingerprint));
    return Account.REWARD_APPLIED;
  }

  /** Closes a decision whose reward is of an arm that the model cannot learn, and logs it. */
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

  /**
   * Returns the arm that a reward is learned for: the shown arm if the reward names it, else the
   * chosen one.
   */
  public String armOf(RewardEvent event, Entry.PendingDecision decision) {
    String shown = event.shownArm();
    return shown == null ? segmentContext.head.arms.get(decision.arm()) : shown;
  }

  private Account apply(
      Arrived reward, Entry.PendingDecision decision, String arm, int[] mediators) {
    RewardEvent event = reward.event;
    try {
      applied(event, reward.id, decision, arm, mediators);
    } catch (RefusedByPolicyException e) {
      return refused(event, e.fault());
    }
    session.refutations.writeBounds(event.eventTime());
    session.expiry.markResolved(
        reward.id,
        decision,
        Entry.Resolution.SETTLED,
        Entry.RewardFingerprint.append(decision.seen(), reward.fingerprint));
    session.phases.closeDone(event.eventTime());
    session.refutations.writeAssumptions(event.eventTime());
    return Account.REWARD_APPLIED;
  }

  /**
   * Learns the awaited reward of a decision and logs it.
   *
   * @throws RefusedByPolicyException if the policy does not compute it; nothing has changed
   */
  public void applied(
      RewardEvent event, IdHash id, Entry.PendingDecision decision, String arm, int[] mediators) {
    double value = Objects.requireNonNull(event.reward());
    transitions.learn(decision, arm, mediators, value);
    transitions.close(id, decision, Account.DECISION_SETTLED, true);
    eventLog.write(
        eventLog
            .segmentEvent(SegmentEventType.REWARD_APPLIED, event.eventTime())
            .decision(id, transitions.meanings().translated(decision))
            .reward(event)
            .arm(arm)
            .mediators(mediators)
            .learned(value));
  }

  private boolean isOtherArm(Entry.PendingDecision decision, String arm) {
    return !arm.equals(segmentContext.head.arms.get(decision.arm()));
  }

  private Account confirm(Arrived reward, Entry.PendingDecision decision, String arm) {
    if (decision.collected() != null && isOtherArm(decision, arm)) {
      return otherThanBefore(reward.event);
    }
    segmentContext.state.putEntry(reward.id, confirmed(reward.event, reward.id, decision, arm));
    return Account.REWARD_BUFFERED;
  }

  /** Records which arm was shown, logs it, and returns the updated decision. */
  public Entry.PendingDecision confirmed(
      RewardEvent event, IdHash id, Entry.PendingDecision decision, String arm) {
    int position =
        segmentContext.head.positionOf(arm); // grows the arms: only together with a logged change
    Entry.PendingDecision shown =
        transitions.confirmed(
            id,
            decision,
            position,
            new Entry.RewardFingerprint(
                Entry.RewardFingerprint.CONFIRMATION, ContentDigest.of(event)));
    eventLog.write(
        eventLog
            .segmentEvent(SegmentEventType.REWARD_BUFFERED, event.eventTime())
            .decision(id, shown)
            .reward(event));
    return shown;
  }

  private Account collect(
      Arrived reward, Entry.PendingDecision decision, String arm, int[] mediators) {
    RewardAggregate before = transitions.meanings().translated(decision).collected();
    if (before != null && (before.contradicts(mediators) || isOtherArm(decision, arm))) {
      return otherThanBefore(reward.event);
    }
    segmentContext.state.putEntry(
        reward.id,
        collected(reward.event, reward.fingerprint, reward.id, decision, arm, mediators));
    return Account.REWARD_BUFFERED;
  }

  private Account otherThanBefore(RewardEvent event) {
    return refused(
        event,
        ErrorCode.CONFLICTING_REWARD,
        "it names another arm or other mediators than the rewards before it");
  }

  /** Adds a reward to its decision, logs it, and returns the updated decision. */
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
            Objects.requireNonNull(event.reward()),
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

  private Account afterTheEnd(Arrived reward, Entry.DedupEntry dedupEntry) {
    RewardEvent event = reward.event;
    @Nullable Account repeated = repeated(reward, dedupEntry.seen(), OTHER);
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
      Arrived reward, Entry.@Nullable EarlyRewards earlyRewards, CompiledSpec spec) {
    RewardEvent event = reward.event;
    List<RewardEvent> held =
        new ArrayList<>(earlyRewards == null ? List.of() : earlyRewards.held());
    @Nullable Account repeated =
        repeated(reward, held.stream().map(it -> fingerprintOf(it, spec)).toList(), OTHER);
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
      if (!session.expiry.hold(reward.id, new Entry.EarlyRewards(due, 0, held))) {
        return refused(
            event,
            ErrorCode.NO_ROOM,
            "no room: rewards of %d decisions wait for their contexts"
                .formatted(segmentContext.head.early));
      }
    } else {
      segmentContext.state.putEntry(
          reward.id,
          new Entry.EarlyRewards(Math.max(due, earlyRewards.due()), earlyRewards.bucket(), held));
    }
    return Account.REWARD_HELD_EARLY;
  }

  private static Entry.RewardFingerprint fingerprintOf(RewardEvent event, CompiledSpec spec) {
    if (event.isConfirmation()) {
      return new Entry.RewardFingerprint(
          Entry.RewardFingerprint.CONFIRMATION, ContentDigest.of(event));
    }
    boolean aggregates = spec.spec().join().aggregate() != Aggregate.FIRST;
    return new Entry.RewardFingerprint(
        aggregates ? IdHash.of(String.valueOf(event.rewardId())).high() : 0,
        ContentDigest.of(event));
  }

  /**
   * Rejects a reward whose identity one before it has; else returns null.
   *
   * @param confirmed names the arm that was confirmed as shown, for the message
   */
  private @Nullable Account repeated(
      Arrived reward, List<Entry.RewardFingerprint> before, String confirmed) {
    RewardEvent event = reward.event;
    for (Entry.RewardFingerprint one : before) {
      if (one.identity() == reward.fingerprint.identity()) {
        return one.content() == reward.fingerprint.content()
            ? refused(event, ErrorCode.DUPLICATE_REWARD, "the same reward was taken before")
            : refused(
                event,
                ErrorCode.CONFLICTING_REWARD,
                event.isConfirmation()
                    ? confirmed + " was already confirmed as the arm shown"
                    : "another reward was taken under this identity; to send several, declare an"
                        + " aggregate and give each a reward id: `reward_id` of a record, `rewardId`"
                        + " over HTTP");
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
