package io.equipoise.join;

import io.equipoise.bandit.UnusableRequestException;
import io.equipoise.event.Account;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.InputFault;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.spec.Aggregate;
import io.equipoise.spec.DefaultReward;
import io.equipoise.spec.Shown;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What ends the memory of a decision id: its time, or want of room. */
final class Closing {
  private final Turn turn;
  private final Changes changes;
  private final Phases phases;

  Closing(Turn turn, Changes changes) {
    this.turn = turn;
    this.changes = changes;
    this.phases = new Phases(turn, changes);
  }

  /** Looks at every id that is due when event time has passed {@code time}. */
  void onTimer(long time) {
    turn.pending.drain(time, this::look);
    turn.early.drain(time, this::lookEarly);
    turn.tombstones.drain(time, this::look);
    if (turn.head.seq > turn.head.metricsSeq) {
      turn.journal.metrics(time, MetricsTrigger.EVENT_TIME);
    }
  }

  /**
   * Holds a reward until its context comes. Returns false where there is no room: those that are
   * held already have contexts that come sooner, and a decision never gives up its room for one.
   */
  boolean hold(IdHash id, Entry.Early early) {
    if (turn.head.early >= turn.maxPending()) {
      return false;
    }
    turn.head.early++;
    turn.early.enlist(id, early, turn.earlyBucketMillis());
    return true;
  }

  /** Remembers a decision that awaits rewards, evicting those due first where there is no room. */
  void await(IdHash id, Entry.Awaiting decision) {
    while (turn.head.pending >= turn.maxPending()) {
      Agenda.Item item = earliest(turn.pending);
      Entry evicted = turn.state.entry(item.id());
      if (evicted instanceof Entry.Awaiting awaiting && evicted.bucket() == item.bucket()) {
        evict(item.id(), awaiting); // else the reference is void
      }
    }
    turn.head.pending++;
    turn.pending.enlist(id, decision, turn.bucketMillis());
  }

  /** Leaves a tombstone of a decision, which awaits nothing any more. */
  void bury(IdHash id, Entry.Awaiting decision, Entry.Fate fate, List<Entry.Seen> seen) {
    forgetPending(id);
    bury(id, decision.entombed(fate, decision.contextTime() + turn.dedupMillis(), seen));
  }

  /** Leaves a tombstone, forgetting those due first where there is no room. */
  void bury(IdHash id, Entry.Tombstone tombstone) {
    while (turn.head.tombstones >= turn.maxPending()) {
      Agenda.Item item = earliest(turn.tombstones);
      Entry evicted = turn.state.entry(item.id());
      if (evicted instanceof Entry.Tombstone && evicted.bucket() == item.bucket()) {
        forgotten(item.id(), evicted.due());
        forgetTombstone(item.id());
      }
    }
    turn.head.tombstones++;
    turn.tombstones.enlist(id, tombstone, turn.bucketMillis());
  }

  /** Writes that a tombstone, which was to stay until {@code due}, goes for want of room. */
  void forgotten(IdHash id, long due) {
    turn.journal.write(turn.journal.segmentEvent(SegmentEventType.DEDUP_ENTRY_EVICTED, due).id(id));
  }

  /** Forgets a decision that awaited rewards. */
  void forgetPending(IdHash id) {
    turn.state.removeEntry(id);
    turn.head.pending--;
  }

  /** Forgets rewards that were held early. */
  void forgetEarly(IdHash id) {
    turn.state.removeEntry(id);
    turn.head.early--;
  }

  private void forgetTombstone(IdHash id) {
    turn.state.removeEntry(id);
    turn.head.tombstones--;
  }

  private Agenda.Item earliest(Agenda agenda) {
    Agenda.Item item = agenda.pollEarliest();
    if (item == null) {
      throw new IllegalStateException(
          "segment %s counts %d pending ids and %d tombstones that no agenda names"
              .formatted(turn.segment, turn.head.pending, turn.head.tombstones));
    }
    return item;
  }

  private void look(long bucket, IdHash id) {
    Entry entry = turn.state.entry(id);
    if (entry == null || entry.bucket() != bucket || entry instanceof Entry.Early) {
      return;
    }
    if (entry instanceof Entry.Tombstone) {
      forgetTombstone(id);
    } else if (entry.due() > bucket) {
      turn.pending.enlist(id, entry, turn.bucketMillis());
    } else {
      close(id, (Entry.Awaiting) entry);
    }
  }

  private void lookEarly(long bucket, IdHash id) {
    if (!(turn.state.entry(id) instanceof Entry.Early early) || early.bucket() != bucket) {
      return;
    }
    if (early.due() > bucket) {
      turn.early.enlist(id, early, turn.earlyBucketMillis());
    } else {
      orphan(early);
      forgetEarly(id);
    }
  }

  private void close(IdHash id, Entry.Awaiting decision) {
    Entry.Fate fate =
        switch (closed(id, decision)) {
          case DECISION_SETTLED -> Entry.Fate.SETTLED;
          case DECISION_TIMED_OUT -> Entry.Fate.EXPIRED;
          default -> Entry.Fate.NOT_LEARNABLE;
        };
    Refutations refutations = new Refutations(turn);
    refutations.writeBounds(decision.due());
    bury(id, decision, fate, decision.seen());
    phases.closeDone(decision.due());
    refutations.writeAssumptions(decision.due());
  }

  /**
   * Learns what the rewards of a decision come to, or its silence, writes so, and returns the
   * account that the decision is moved to.
   */
  Account closed(IdHash id, Entry.Awaiting decision) {
    Entry.Awaiting now = changes.meanings().translated(decision);
    Collected collected = now.collected();
    CompiledSpec spec = turn.spec;
    SegmentEventBuilder record =
        turn.journal
            .segmentEvent(
                collected == null
                    ? SegmentEventType.REWARD_TIMEOUT
                    : SegmentEventType.WINDOW_CLOSED,
                decision.due())
            .decision(id, now);
    Account account =
        spec == null
            ? notLearnable(record, ErrorCode.UNKNOWN_SEGMENT) // the book has lost its text
            : learned(record, decision, collected);
    changes.close(id, decision, account, record.isLearned());
    turn.journal.write(record);
    return account;
  }

  private Account learned(
      SegmentEventBuilder record, Entry.Awaiting decision, @Nullable Collected collected) {
    if (!changes.meanings().isOfModel(decision)) {
      return notLearnable(record, ErrorCode.MODEL_CHANGED);
    }
    return collected == null ? byDefault(record, decision) : aggregate(record, decision, collected);
  }

  private Account byDefault(SegmentEventBuilder record, Entry.Awaiting decision) {
    CompiledSpec spec = turn.requireSpec();
    DefaultReward reward = spec.byDefault();
    if (reward == null || spec.spec().join().shown() != Shown.ASSUMED) {
      return Account.DECISION_TIMED_OUT;
    }
    int[] mediators = spec.defaultMediators();
    @Nullable ErrorCode fault = learn(record, decision, mediators, reward.value());
    return fault == null ? Account.DECISION_TIMED_OUT : notLearnable(record, fault);
  }

  private Account aggregate(
      SegmentEventBuilder record, Entry.Awaiting decision, Collected collected) {
    CompiledSpec spec = turn.requireSpec();
    if (!spec.bandit().canLearn(collected.mediators())) {
      return notLearnable(record, ErrorCode.MISSING_MEDIATOR);
    }
    Aggregate how = spec.spec().join().aggregate();
    double exact = collected.value(how == Aggregate.FIRST ? Aggregate.LAST : how);
    double value = spec.spec().reward().withoutRounding(exact);
    @Nullable ErrorCode fault = learn(record, decision, collected.mediators(), value);
    return fault == null ? Account.DECISION_SETTLED : notLearnable(record, fault);
  }

  /** Returns why the reward was not learned, or null if it was. */
  private @Nullable ErrorCode learn(
      SegmentEventBuilder record, Entry.Awaiting decision, int[] mediators, double reward) {
    String arm = turn.head.arms.get(decision.arm());
    if (!changes.knows(decision, arm)) {
      return ErrorCode.UNKNOWN_ARM;
    }
    if (turn.requireSpec().refusalOf(reward) != null) {
      return ErrorCode.REWARD_OUT_OF_RANGE;
    }
    try {
      changes.learn(decision, arm, mediators, reward);
    } catch (UnusableRequestException e) {
      return ErrorCode.UNUSABLE_FEATURES;
    }
    record.mediators(mediators).learned(reward);
    return null;
  }

  private static Account notLearnable(SegmentEventBuilder record, ErrorCode reason) {
    record.unlearned(reason);
    return Account.DECISION_CLOSED_NOT_LEARNABLE;
  }

  private void evict(IdHash id, Entry.Awaiting decision) {
    evicted(id, decision);
    bury(id, decision, Entry.Fate.NOT_LEARNABLE, decision.seen());
    phases.closeDone(decision.contextTime());
  }

  /** Gives a decision up, of which nothing is learned, and writes so. */
  void evicted(IdHash id, Entry.Awaiting decision) {
    changes.close(id, decision, Account.DECISION_EVICTED, false);
    turn.journal.write(
        turn.journal
            .segmentEvent(SegmentEventType.DECISION_EVICTED, decision.contextTime())
            .decision(id, changes.meanings().translated(decision)));
  }

  private void orphan(Entry.Early early) {
    for (RewardEvent reward : early.held()) {
      turn.head.ledgers.move(Account.REWARD_HELD_EARLY, Account.REWARD_ORPHAN);
      turn.journal.deadLetter(
          reward,
          new InputFault(ErrorCode.ORPHAN, "no context with this decision id came in time"));
    }
  }
}
