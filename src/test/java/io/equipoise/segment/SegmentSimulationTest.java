package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.Account;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.TerminalKind;
import io.equipoise.segment.Schedule.Step;
import io.equipoise.segment.log.SegmentWithoutSpec;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.Ledgers;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segment.state.SegmentSnapshot;
import io.equipoise.segment.state.SegmentState;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Plays random schedules and holds what must be true after every one of them. To see one again: its
 * seed is in the failure, and {@link #play} takes it.
 */
@Tag("slow")
class SegmentSimulationTest {
  private static final long FIRST_SEED = 1_000;
  private static final int SCHEDULES = Tier.count(400, 20_000);
  private static final long FAR_MILLIS = 1_000_000_000_000L;

  private final Set<SegmentEventType> kindsSeen = EnumSet.noneOf(SegmentEventType.class);
  private final Set<String> codesSeen = new TreeSet<>();
  private final Set<DecisionReason> reasonsSeen = EnumSet.noneOf(DecisionReason.class);
  private final Set<TerminalKind> endsSeen = EnumSet.noneOf(TerminalKind.class);
  private long refuted;
  private long extended;
  private long learnedOfRetiredArms;
  private long learnedTranslated;
  private final Map<Retain, Long> returns = new EnumMap<>(Retain.class);

  @Test
  void everyScheduleBalancesReplaysAndLeavesNothing() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
      try {
        play(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("schedule of seed " + seed, e);
      }
    }
    Tier.found(SegmentSimulationTest.class, "schedules played", SCHEDULES);
    assertTrue(
        kindsSeen.containsAll(
            EnumSet.of(
                SegmentEventType.SPEC_ADOPTED,
                SegmentEventType.BOUNDS_ADOPTED,
                SegmentEventType.REWARD_APPLIED,
                SegmentEventType.REWARD_BUFFERED,
                SegmentEventType.REWARD_TIMEOUT,
                SegmentEventType.WINDOW_CLOSED,
                SegmentEventType.PHASE_CLOSED,
                SegmentEventType.DECISION_EVICTED,
                SegmentEventType.DEDUP_ENTRY_EVICTED,
                SegmentEventType.SEGMENT_PASSIVATED,
                SegmentEventType.SEGMENT_ACTIVATED)),
        "the schedules only bring " + kindsSeen);
    assertTrue(
        codesSeen.containsAll(
            List.of(
                "DUPLICATE_REWARD",
                "CONFLICTING_REWARD",
                "DUPLICATE_CONTEXT",
                "CONFLICTING_CONTEXT",
                "LATE_REWARD",
                "DECISION_CLOSED",
                "ORPHAN",
                "DECISION_NOT_LEARNABLE",
                "MODEL_CHANGED",
                "SPEC_REJECTED",
                "BOUNDS_REJECTED",
                "BOUNDS_GRAPH_MISMATCH",
                "MISSING_REWARD_ID",
                "MISSING_MEDIATOR",
                "UNKNOWN_ARM",
                "UNKNOWN_SEGMENT",
                "REWARD_OUT_OF_RANGE",
                "CANDIDATES_UNSUPPORTED",
                "CANDIDATES_INVALID",
                "EVENT_TIME_IN_FUTURE")),
        "the schedules only bring " + codesSeen);
    assertTrue(
        reasonsSeen.containsAll(
            EnumSet.of(
                DecisionReason.SAMPLE, DecisionReason.NOT_SAMPLED, DecisionReason.RECOMMENDED)),
        "the schedules only bring " + reasonsSeen);
    assertEquals(EnumSet.allOf(TerminalKind.class), endsSeen);
    assertTrue(refuted > 0, "no schedule refutes a causal bound");
    Tier.found(SegmentSimulationTest.class, "causal bounds refuted", refuted);
    assertTrue(extended > 0, "no schedule adds levels");
    assertTrue(learnedOfRetiredArms > 0, "no schedule rewards a retired arm");
    assertTrue(learnedTranslated > 0, "no schedule moves levels under a pending decision");
    Tier.found(SegmentSimulationTest.class, "specs with more levels adopted", extended);
    Tier.found(SegmentSimulationTest.class, "retired arms rewarded", learnedOfRetiredArms);
    Tier.found(SegmentSimulationTest.class, "decisions learned by moved levels", learnedTranslated);
    for (Retain keep : Retain.values()) {
      String what = "returns of segments that kept " + keep.wire();
      long count = returns.getOrDefault(keep, 0L);
      assertTrue(count > SCHEDULES / 50, what + ": only " + count);
      Tier.found(SegmentSimulationTest.class, what, count);
    }
  }

  private void play(long seed) {
    List<Step> steps = Schedule.of(seed);
    Played inMemory = new Played(new MemoryTimers());
    Played inBytes = new Played(new ByteTimers());
    int savedAt = (int) (seed % steps.size());
    SegmentSnapshot saved = null;
    int written = 0;
    for (int at = 0; at < steps.size(); at++) {
      if (at == savedAt) {
        saved = ((ByteTimers) inBytes.timers).state.saved();
        written = inBytes.log.all.size();
      }
      inMemory.take(steps.get(at));
      inBytes.take(steps.get(at));
      assertEquals(inMemory.contexts, inMemory.ledgers().contextsRead());
      assertEquals(inMemory.rewards, inMemory.ledgers().rewardsRead());
      assertEquals(inMemory.count(Account.CONTEXT_DECIDED), inMemory.ledgers().decisions());
    }
    inMemory.passTo(Scenario.ORIGIN_MILLIS + FAR_MILLIS);
    inBytes.passTo(Scenario.ORIGIN_MILLIS + FAR_MILLIS);
    assertEquals(inMemory.log.all, inBytes.log.all, "through the serializers of state");
    assertSeqHasNoGap(inMemory.log);
    assertLedgersAreTheLog(inMemory);
    assertNothingLeft(inMemory);
    inMemory.log.replay(inMemory.texts, inMemory.causalBounds, null);
    replayFrom(saved, inBytes, written);
    assertCausalBoundsAreNamed(inMemory.log);
    refuted +=
        inMemory.log.segmentEvents.stream()
            .filter(one -> one.type() == SegmentEventType.BOUNDS_REFUTED)
            .count();
    inMemory.log.decisions.forEach(decision -> reasonsSeen.add(decision.reason()));
    inMemory.log.experiments.stream()
        .flatMap(record -> Stream.ofNullable(record.terminal()))
        .forEach(end -> endsSeen.add(end.kind()));
    inMemory.log.segmentEvents.forEach(segmentEvent -> kindsSeen.add(segmentEvent.type()));
    inMemory.log.deadLetters.forEach(letter -> codesSeen.add(letter.code()));
    countSpecChanges(inMemory);
  }

  /** Replays what was written after a savepoint from the state in it. */
  private static void replayFrom(@Nullable SegmentSnapshot saved, Played played, int written) {
    RecordedLog after = new RecordedLog();
    after.all.addAll(played.log.all.subList(written, played.log.all.size()));
    after.replay(played.texts, played.causalBounds, saved);
  }

  private void countSpecChanges(Played played) {
    Map<Long, Decision> decided = new HashMap<>();
    played.log.decisions.forEach(decision -> decided.put(decision.seq(), decision));
    for (SegmentEvent segmentEvent : played.log.segmentEvents) {
      CompiledSpec spec = played.texts.byHash(String.valueOf(segmentEvent.specHash()));
      boolean isAdoption = segmentEvent.type() == SegmentEventType.SPEC_ADOPTED;
      if (segmentEvent.type() == SegmentEventType.SEGMENT_ACTIVATED) {
        boolean isRetained = Boolean.TRUE.equals(segmentEvent.modelRetained());
        returns.merge(isRetained ? Retain.MODEL : Retain.NONE, 1L, Long::sum);
      }
      if (isAdoption && !segmentEvent.adoption().extendedVariables().isEmpty()) {
        extended++;
      }
      Decision decision = decided.get(segmentEvent.decisionSeq());
      String arm = String.valueOf(segmentEvent.arm());
      if (spec != null && decision != null && segmentEvent.learned()) {
        learnedOfRetiredArms += arm.startsWith("A=") && !spec.armIds().contains(arm) ? 1 : 0;
        learnedTranslated += isMoved(decision, segmentEvent) ? 1 : 0;
      }
    }
  }

  /** A decision's features may go on with numbers and the arm's. */
  private static boolean isMoved(Decision decision, SegmentEvent segmentEvent) {
    List<Double> there = segmentEvent.features();
    List<Double> here = decision.features();
    return there != null && here != null && !there.equals(here.subList(0, there.size()));
  }

  /** Every record names the bounds that the last adoption before it named, and none twice. */
  private static void assertCausalBoundsAreNamed(RecordedLog log) {
    Set<String> refutedRows = new TreeSet<>();
    String adopted = null;
    for (Record record : log.all) {
      if (record instanceof Decision decision) {
        String named = decision.isRepeated() ? null : adopted;
        assertEquals(named, decision.versions().boundsHash(), "at seq " + decision.seq());
      } else if (record instanceof SegmentEvent segmentEvent) {
        boolean isAdoption =
            segmentEvent.type() == SegmentEventType.BOUNDS_ADOPTED
                || segmentEvent.type() == SegmentEventType.SPEC_ADOPTED;
        boolean isAnother =
            adopted == null || !adopted.equals(segmentEvent.versions().boundsHash());
        if ((isAdoption && isAnother) || segmentEvent.stateReset().contains("model")) {
          refutedRows.clear();
        }
        adopted = isAdoption ? segmentEvent.versions().boundsHash() : adopted;
        assertEquals(adopted, segmentEvent.versions().boundsHash(), "at seq " + segmentEvent.seq());
        if (Boolean.FALSE.equals(segmentEvent.modelRetained())) {
          adopted = null;
          refutedRows.clear();
        }
        RefutedBounds bounds = segmentEvent.refutedBounds();
        assertEquals(segmentEvent.type() == SegmentEventType.BOUNDS_REFUTED, bounds != null);
        if (bounds != null) {
          assertTrue(
              refutedRows.add(bounds.arm() + bounds.context()),
              "twice, at seq " + segmentEvent.seq());
          assertTrue(
              bounds.estimateUpper() < bounds.lower() || bounds.estimateLower() > bounds.upper());
        }
      }
    }
  }

  private static void assertSeqHasNoGap(RecordedLog log) {
    long expected = 1;
    for (Record record : log.all) {
      if (record instanceof Decision decision && decision.isRepeated()) {
        assertEquals(SegmentWithoutSpec.UNNUMBERED, decision.seq());
      } else if (record instanceof Decision decision) {
        boolean hasNoOverlap = expected == 1 && decision.seq() == SegmentWithoutSpec.UNNUMBERED;
        assertEquals(hasNoOverlap ? 0 : expected++, decision.seq());
      } else if (record instanceof SegmentEvent segmentEvent) {
        assertEquals(expected++, segmentEvent.seq());
      }
    }
  }

  /** Counts what the records say, when nothing is pending any more. */
  private static void assertLedgersAreTheLog(Played played) {
    long bandit = played.log.decisions.stream().filter(one -> one.features() != null).count();
    assertEquals(bandit, played.count(Account.CONTEXT_DECIDED));
    long numbered = played.log.decisions.stream().filter(one -> one.seq() > 0).count();
    assertEquals(
        numbered - bandit,
        played.count(Account.CONTEXT_REJECTED) + played.count(Account.CONTEXT_DEADLINE_EXCEEDED));
    assertEquals(0, played.count(Account.DECISION_AWAITING));
    assertEquals(0, played.count(Account.REWARD_HELD_EARLY));
    long evicted = played.segmentEvents(SegmentEventType.DECISION_EVICTED);
    assertEquals(evicted, played.count(Account.DECISION_EVICTED));
    assertEquals(
        played.segmentEvents(SegmentEventType.REWARD_APPLIED),
        played.count(Account.REWARD_APPLIED));
    assertEquals(
        played.segmentEvents(SegmentEventType.REWARD_BUFFERED),
        played.count(Account.REWARD_BUFFERED));
    long noSample = played.log.decisions.stream().filter(one -> isNoSample(one.reason())).count();
    assertEquals(
        played.segmentEvents(SegmentEventType.REWARD_APPLIED)
            + played.segmentEvents(SegmentEventType.REWARD_TIMEOUT)
            + played.segmentEvents(SegmentEventType.WINDOW_CLOSED)
            + evicted
            + noSample,
        bandit);
    assertEquals(
        played.letters(ErrorCode.DUPLICATE_REWARD), played.count(Account.REWARD_DUPLICATE));
    assertEquals(
        played.letters(ErrorCode.CONFLICTING_REWARD), played.count(Account.REWARD_CONFLICTING));
    assertEquals(
        played.letters(ErrorCode.LATE_REWARD) + played.letters(ErrorCode.DECISION_CLOSED),
        played.count(Account.REWARD_LATE));
    assertEquals(
        played.letters(ErrorCode.ORPHAN) + played.letters(ErrorCode.NO_ROOM),
        played.count(Account.REWARD_ORPHAN));
    assertEquals(
        played.letters(ErrorCode.DECISION_NOT_LEARNABLE) + played.letters(ErrorCode.MODEL_CHANGED),
        played.count(Account.REWARD_NOT_LEARNABLE));
    assertEquals(
        played.letters(ErrorCode.DUPLICATE_CONTEXT), played.count(Account.CONTEXT_DUPLICATE));
    assertEquals(
        played.letters(ErrorCode.CONFLICTING_CONTEXT), played.count(Account.CONTEXT_CONFLICTING));
    assertRepeatsAreAnswered(played);
  }

  /** One REPEATED decision a repeat, with the arm of the decision before. */
  private static void assertRepeatsAreAnswered(Played played) {
    Map<String, String> arms = new HashMap<>();
    long repeated = 0;
    for (Decision decision : played.log.decisions) {
      if (decision.isRepeated()) {
        repeated++;
        assertTrue(arms.containsKey(decision.decisionId()), decision.toString());
        assertEquals(arms.get(decision.decisionId()), decision.arm(), decision.toString());
      } else {
        arms.put(decision.decisionId(), decision.arm());
      }
    }
    assertEquals(
        played.count(Account.CONTEXT_DUPLICATE) + played.count(Account.CONTEXT_CONFLICTING),
        repeated);
  }

  private static boolean isNoSample(DecisionReason reason) {
    return reason == DecisionReason.NOT_SAMPLED || reason == DecisionReason.RECOMMENDED;
  }

  private static void assertNothingLeft(Played played) {
    MemorySegmentState state = ((MemoryTimers) played.timers).state;
    SegmentHeader head = played.head();
    assertEquals(0, state.entryCount(), "entries left");
    assertEquals(0, state.chunkCount(), "chunks left");
    assertEquals(0, state.timerCount(), "timers left");
    assertEquals(0, head.pending, "pending counted");
    assertEquals(0, head.early, "early counted");
    assertEquals(0, head.dedupEntries, "tombstones counted");
    assertEquals(0, head.pendingHigh, "pending digest");
    assertEquals(0, head.pendingLow, "pending digest");
  }

  /** A state and its timers. */
  private interface Timers {
    SegmentState state();

    @Nullable Long poll(long time);
  }

  private static final class MemoryTimers implements Timers {
    private final MemorySegmentState state = new MemorySegmentState();

    @Override
    public SegmentState state() {
      return state;
    }

    @Override
    public @Nullable Long poll(long time) {
      return state.pollTimer(time);
    }
  }

  private static final class ByteTimers implements Timers {
    private final ByteSegmentState state = new ByteSegmentState();

    @Override
    public SegmentState state() {
      return state;
    }

    @Override
    public @Nullable Long poll(long time) {
      return state.pollTimer(time);
    }
  }

  /** One run of a schedule. */
  private static final class Played {
    private final Timers timers;
    private final TestBook book = new TestBook();
    private final TestBook texts = new TestBook();
    private final TestBounds causalBounds = new TestBounds();
    private final RecordedLog log = new RecordedLog();
    private final SegmentMachine machine =
        new SegmentMachine(book, causalBounds, () -> Scenario.ORIGIN_MILLIS, 0);
    private long contexts;
    private long rewards;

    Played(Timers timers) {
      this.timers = timers;
    }

    void take(Step step) {
      if (step instanceof Schedule.Context context) {
        contexts += isRead() ? 1 : 0;
        machine.onContext(context.event(), timers.state(), log);
      } else if (step instanceof Schedule.Reward reward) {
        rewards += isRead() ? 1 : 0;
        machine.onReward(reward.event(), timers.state(), log);
      } else if (step instanceof Schedule.Pass pass) {
        passTo(pass.time());
      } else if (step instanceof Schedule.Offer offer) {
        if (offer.set() == null) {
          causalBounds.retire();
        } else {
          causalBounds.publish(offer.set());
        }
      } else {
        CompiledSpec spec = ((Schedule.Publish) step).spec();
        if (spec == null) {
          book.retire();
        } else {
          book.publish(spec);
          texts.publish(spec);
        }
      }
    }

    /** A segment that has neither a spec nor state keeps no ledgers. */
    private boolean isRead() {
      return !SegmentWithoutSpec.is(book.select(Scenario.SEGMENT), timers.state());
    }

    void passTo(long time) {
      for (Long due = timers.poll(time); due != null; due = timers.poll(time)) {
        machine.onTimer(due, Scenario.SEGMENT, timers.state(), log);
      }
    }

    SegmentHeader head() {
      SegmentState state = timers.state();
      SegmentHeader head =
          state instanceof MemorySegmentState memory ? memory.headAlsoAtRest() : state.head();
      return head == null ? new SegmentHeader() : head;
    }

    Ledgers ledgers() {
      return head().ledgers;
    }

    long count(Account account) {
      return ledgers().get(account);
    }

    long segmentEvents(SegmentEventType kind) {
      return log.segmentEvents.stream().filter(one -> one.type() == kind).count();
    }

    long letters(ErrorCode code) {
      return log.deadLetters.stream().filter(one -> one.code().equals(code.name())).count();
    }
  }
}
