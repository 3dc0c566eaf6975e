package io.equipoise.segment;

import static java.util.Objects.requireNonNull;

import io.equipoise.event.Account;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.InputFault;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.log.EventLogWriter;
import io.equipoise.segment.log.SegmentEventBuilder;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.DueIndex;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.RewardAggregate;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segmentspec.Aggregate;
import io.equipoise.segmentspec.DefaultReward;
import io.equipoise.segmentspec.ShownRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends pending decisions, held rewards and dedup entries when they are due or the limit is reached.
 */
public final class ExpiryHandler {
  private final SegmentSession session;
  private final SegmentContext segmentContext;
  private final StateTransitions transitions;
  private final EventLogWriter eventLog;

  ExpiryHandler(SegmentSession session) {
    this.session = session;
    this.segmentContext = session.segmentContext;
    this.transitions = session.transitions;
    this.eventLog = session.eventLog;
  }

  /** Handles every id that is due when event time has passed {@code time}. */
  void onTimer(long time) {
    segmentContext.pending.drain(time, this::look);
    segmentContext.early.drain(time, this::lookEarly);
    segmentContext.dedupEntries.drain(time, this::look);
    if (segmentContext.head.seq > segmentContext.head.metricsSeq) {
      eventLog.metrics(time, MetricsTrigger.EVENT_TIME);
    }
  }

  /**
   * Holds a reward until its context arrives. Returns false if {@code max-pending} ids hold rewards
   * already: those are likely to get their contexts sooner. Pending decisions have a limit of their
   * own.
   */
  boolean hold(IdHash id, Entry.EarlyRewards earlyRewards) {
    if (segmentContext.head.early >= segmentContext.maxPending()) {
      return false;
    }
    segmentContext.head.early++;
    segmentContext.early.schedule(
        id, earlyRewards, segmentContext.bucketMillis(DueIndex.Queue.EARLY));
    return true;
  }

  /** Stores a decision that awaits rewards, and evicts those due first if there is no room. */
  void await(IdHash id, Entry.PendingDecision decision) {
    while (segmentContext.head.pending >= segmentContext.maxPending()) {
      DueIndex.Item item = earliest(segmentContext.pending);
      Entry evicted = segmentContext.state.entry(item.id());
      if (evicted instanceof Entry.PendingDecision awaiting && evicted.bucket() == item.bucket()) {
        evict(item.id(), awaiting); // else the reference is outdated
      }
    }
    segmentContext.head.pending++;
    segmentContext.pending.schedule(
        id, decision, segmentContext.bucketMillis(DueIndex.Queue.PENDING));
  }

  /** Replaces a decision that no longer awaits rewards by a dedup entry. */
  void markResolved(
      IdHash id,
      Entry.PendingDecision decision,
      Entry.Resolution resolution,
      List<Entry.RewardFingerprint> seen) {
    segmentContext.head.pending--;
    markResolved(
        id,
        decision.resolved(resolution, decision.contextTime() + segmentContext.dedupMillis(), seen));
  }

  /** Stores a dedup entry, and evicts those due first if there is no room. */
  void markResolved(IdHash id, Entry.DedupEntry dedupEntry) {
    while (segmentContext.head.dedupEntries >= segmentContext.maxPending()) {
      DueIndex.Item item = earliest(segmentContext.dedupEntries);
      Entry evicted = segmentContext.state.entry(item.id());
      if (evicted instanceof Entry.DedupEntry && evicted.bucket() == item.bucket()) {
        forgotten(item.id(), evicted.due());
        forgetDedupEntry(item.id());
      }
    }
    segmentContext.head.dedupEntries++;
    segmentContext.dedupEntries.schedule(
        id, dedupEntry, segmentContext.bucketMillis(DueIndex.Queue.DEDUP_ENTRIES));
  }

  /** Forgets a decided id before it is due, and logs it. */
  void forget(IdHash id, Entry known) {
    if (known instanceof Entry.PendingDecision decision) {
      evict(id, decision);
    }
    forgotten(id, requireNonNull(segmentContext.state.entry(id)).due());
    forgetDedupEntry(id);
  }

  /** Logs that a dedup entry, due at {@code due}, is evicted because the limit is reached. */
  public void forgotten(IdHash id, long due) {
    eventLog.write(eventLog.segmentEvent(SegmentEventType.DEDUP_ENTRY_EVICTED, due).id(id));
  }

  /** Removes the rewards that were held for an id. */
  void forgetEarly(IdHash id) {
    segmentContext.state.removeEntry(id);
    segmentContext.head.early--;
  }

  private void forgetDedupEntry(IdHash id) {
    segmentContext.state.removeEntry(id);
    segmentContext.head.dedupEntries--;
  }

  private DueIndex.Item earliest(DueIndex dueIndex) {
    DueIndex.Item item = dueIndex.pollEarliest();
    if (item == null) {
      throw new IllegalStateException(
          "segment %s counts %d pending ids and %d dedup entries that no due index names"
              .formatted(
                  segmentContext.segment,
                  segmentContext.head.pending,
                  segmentContext.head.dedupEntries));
    }
    return item;
  }

  private void look(long bucket, IdHash id) {
    Entry entry = segmentContext.state.entry(id);
    if (entry == null || entry.bucket() != bucket || entry instanceof Entry.EarlyRewards) {
      return;
    }
    if (entry instanceof Entry.DedupEntry) {
      forgetDedupEntry(id);
    } else if (entry.due() > bucket) {
      segmentContext.pending.schedule(
          id, entry, segmentContext.bucketMillis(DueIndex.Queue.PENDING));
    } else {
      close(id, (Entry.PendingDecision) entry);
    }
  }

  private void lookEarly(long bucket, IdHash id) {
    if (!(segmentContext.state.entry(id) instanceof Entry.EarlyRewards early)
        || early.bucket() != bucket) {
      return;
    }
    if (early.due() > bucket) {
      segmentContext.early.schedule(id, early, segmentContext.bucketMillis(DueIndex.Queue.EARLY));
    } else {
      orphan(early);
      forgetEarly(id);
    }
  }

  private void close(IdHash id, Entry.PendingDecision decision) {
    Entry.Resolution resolution =
        switch (closed(id, decision)) {
          case DECISION_SETTLED -> Entry.Resolution.SETTLED;
          case DECISION_TIMED_OUT -> Entry.Resolution.EXPIRED;
          default -> Entry.Resolution.NOT_LEARNABLE;
        };
    session.refutations.writeBounds(decision.due());
    markResolved(id, decision, resolution, decision.seen());
    session.phases.closeDone(decision.due());
    session.refutations.writeAssumptions(decision.due());
  }

  /**
   * Learns the aggregate of a decision's rewards, or its default reward, and logs the end of the
   * window. Returns the account that the decision moves to.
   */
  public Account closed(IdHash id, Entry.PendingDecision decision) {
    CompiledSpec spec = segmentContext.spec;
    Entry.PendingDecision now =
        spec == null ? decision : transitions.meanings().translated(decision);
    RewardAggregate rewardAggregate = now.collected();
    SegmentEventBuilder record =
        eventLog
            .segmentEvent(
                rewardAggregate == null
                    ? SegmentEventType.REWARD_TIMEOUT
                    : SegmentEventType.WINDOW_CLOSED,
                decision.due())
            .decision(id, now);
    Account account =
        spec == null
            ? notLearnable(record, ErrorCode.UNKNOWN_SEGMENT) // the registry has lost its text
            : learned(record, decision, rewardAggregate);
    transitions.close(id, decision, account, record.isLearned());
    eventLog.write(record);
    return account;
  }

  private Account learned(
      SegmentEventBuilder record,
      Entry.PendingDecision decision,
      @Nullable RewardAggregate rewardAggregate) {
    if (!transitions.meanings().isOfModel(decision)) {
      return notLearnable(record, ErrorCode.MODEL_CHANGED);
    }
    return rewardAggregate == null
        ? byDefault(record, decision)
        : aggregate(record, decision, rewardAggregate);
  }

  private Account byDefault(SegmentEventBuilder record, Entry.PendingDecision decision) {
    CompiledSpec spec = segmentContext.requireSpec();
    DefaultReward reward = spec.byDefault();
    boolean isShown =
        spec.spec().join().shown() == ShownRule.ASSUMED || decision.isShownConfirmed();
    if (reward == null || !isShown) {
      return Account.DECISION_TIMED_OUT;
    }
    int[] mediators = spec.defaultMediators();
    @Nullable ErrorCode fault = learn(record, decision, mediators, reward.value());
    return fault == null ? Account.DECISION_TIMED_OUT : notLearnable(record, fault);
  }

  private Account aggregate(
      SegmentEventBuilder record, Entry.PendingDecision decision, RewardAggregate rewardAggregate) {
    CompiledSpec spec = segmentContext.requireSpec();
    if (!spec.policy().canLearn(rewardAggregate.mediators())) {
      return notLearnable(record, ErrorCode.MISSING_MEDIATOR);
    }
    Aggregate how = spec.spec().join().aggregate();
    double exact = rewardAggregate.value(how == Aggregate.FIRST ? Aggregate.LAST : how);
    double value = spec.spec().reward().withoutRounding(exact);
    @Nullable ErrorCode fault = learn(record, decision, rewardAggregate.mediators(), value);
    return fault == null ? Account.DECISION_SETTLED : notLearnable(record, fault);
  }

  /** Returns why the reward was not learned, or null if it was. */
  private @Nullable ErrorCode learn(
      SegmentEventBuilder record, Entry.PendingDecision decision, int[] mediators, double reward) {
    String arm = segmentContext.head.arms.get(decision.arm());
    if (!transitions.knows(decision, arm)) {
      return ErrorCode.UNKNOWN_ARM;
    }
    if (segmentContext.requireSpec().refusalOf(reward) != null) {
      return ErrorCode.REWARD_OUT_OF_RANGE;
    }
    try {
      transitions.learn(decision, arm, mediators, reward);
    } catch (RefusedByPolicyException e) {
      return e.fault().code();
    }
    record.mediators(mediators).learned(reward);
    return null;
  }

  private static Account notLearnable(SegmentEventBuilder record, ErrorCode reason) {
    record.unlearned(reason);
    return Account.DECISION_CLOSED_NOT_LEARNABLE;
  }

  private void evict(IdHash id, Entry.PendingDecision decision) {
    evicted(id, decision);
    markResolved(id, decision, Entry.Resolution.NOT_LEARNABLE, decision.seen());
    session.phases.closeDone(decision.contextTime());
  }

  /** Evicts a decision without learning from it, and logs it. */
  public void evicted(IdHash id, Entry.PendingDecision decision) {
    transitions.close(id, decision, Account.DECISION_EVICTED, false);
    eventLog.write(
        eventLog
            .segmentEvent(SegmentEventType.DECISION_EVICTED, decision.contextTime())
            .decision(id, transitions.meanings().translated(decision)));
  }

  private void orphan(Entry.EarlyRewards earlyRewards) {
    for (RewardEvent reward : earlyRewards.held()) {
      segmentContext.head.ledgers.move(Account.REWARD_HELD_EARLY, Account.REWARD_ORPHAN);
      eventLog.deadLetter(
          reward,
          new InputFault(ErrorCode.ORPHAN, "no context with this decision id came in time"));
    }
  }
}
