package io.equipoise.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AuditKind;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionWhy;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.TerminalKind;
import io.equipoise.join.Ledgers.Account;
import io.equipoise.join.Schedule.Step;
import io.equipoise.spec.IdleSpec.Keep;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Plays random schedules and holds what must be true after every one of them. To see one again: its
 * seed is in the failure, and {@link #play} takes it.
 */
class SegmentSimulationTest {
  private static final long FIRST_SEED = 1_000;
  private static final int SCHEDULES = Tier.count(2_000, 20_000);
  private static final long FAR_MILLIS = 1_000_000_000_000L;

  private final Set<OutcomeKind> kindsSeen = EnumSet.noneOf(OutcomeKind.class);
  private final Set<String> codesSeen = new TreeSet<>();
  private final Set<DecisionWhy> whysSeen = EnumSet.noneOf(DecisionWhy.class);
  private final Set<TerminalKind> endsSeen = EnumSet.noneOf(TerminalKind.class);
  private long refuted;
  private long extended;
  private long learntOfRetiredArms;
  private long learntTranslated;
  private final Map<Keep, Long> returns = new EnumMap<>(Keep.class);

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
                OutcomeKind.SPEC_ADOPTED,
                OutcomeKind.PRIOR_ADOPTED,
                OutcomeKind.APPLIED,
                OutcomeKind.COLLECTED,
                OutcomeKind.EXPIRED,
                OutcomeKind.WINDOW_CLOSED,
                OutcomeKind.PHASE_CLOSED,
                OutcomeKind.EVICTED,
                OutcomeKind.REVIVED)),
        "the schedules only bring " + kindsSeen);
    assertTrue(
        codesSeen.containsAll(
            List.of(
                "DUPLICATE",
                "CONFLICT",
                "DUPLICATE_CONTEXT",
                "CONFLICT_CONTEXT",
                "LATE",
                "ORPHAN",
                "UNLEARNT",
                "MODEL_CHANGED",
                "SPEC_REFUSED",
                "PRIOR_REFUSED",
                "PRIOR_OF_OTHER_GRAPH",
                "MISSING_REWARD_ID",
                "MISSING_MEDIATOR",
                "UNKNOWN_ARM",
                "UNKNOWN_SEGMENT",
                "REWARD_OUT_OF_RANGE",
                "CANDIDATES_UNSUPPORTED",
                "CANDIDATES_INVALID",
                "FUTURE")),
        "the schedules only bring " + codesSeen);
    assertTrue(
        whysSeen.containsAll(EnumSet.of(DecisionWhy.PULL, DecisionWhy.HOLD, DecisionWhy.SERVE)),
        "the schedules only bring " + whysSeen);
    assertEquals(EnumSet.allOf(TerminalKind.class), endsSeen);
    assertTrue(refuted > 0, "no schedule refutes a prior bound");
    Tier.found(SegmentSimulationTest.class, "prior bounds refuted", refuted);
    assertTrue(extended > 0, "no schedule adds levels");
    assertTrue(learntOfRetiredArms > 0, "no schedule rewards a retired arm");
    assertTrue(learntTranslated > 0, "no schedule moves levels under a pending decision");
    Tier.found(SegmentSimulationTest.class, "specs with more levels adopted", extended);
    Tier.found(SegmentSimulationTest.class, "retired arms rewarded", learntOfRetiredArms);
    Tier.found(SegmentSimulationTest.class, "decisions learnt by moved levels", learntTranslated);
    for (Keep keep : Keep.values()) {
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
    SavedSegment saved = null;
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
    inMemory.log.replay(inMemory.texts, inMemory.priors, null);
    replayFrom(saved, inBytes, written);
    assertPriorsAreNamed(inMemory.log);
    refuted +=
        inMemory.log.audits.stream().filter(one -> one.kind() == AuditKind.PRIOR_REFUTED).count();
    inMemory.log.decisions.forEach(decision -> whysSeen.add(decision.why()));
    inMemory.log.audits.stream()
        .flatMap(audit -> Stream.ofNullable(audit.terminal()))
        .forEach(end -> endsSeen.add(end.kind()));
    inMemory.log.outcomes.forEach(outcome -> kindsSeen.add(outcome.kind()));
    inMemory.log.deadLetters.forEach(letter -> codesSeen.add(letter.code()));
    countSpecChanges(inMemory);
  }

  /** Replays what was written after a savepoint from the state in it. */
  private static void replayFrom(@Nullable SavedSegment saved, Played played, int written) {
    RecordedLog after = new RecordedLog();
    after.all.addAll(played.log.all.subList(written, played.log.all.size()));
    after.replay(played.texts, played.priors, saved);
  }

  private void countSpecChanges(Played played) {
    Map<Long, Decision> decided = new HashMap<>();
    played.log.decisions.forEach(decision -> decided.put(decision.seq(), decision));
    for (Outcome outcome : played.log.outcomes) {
      CompiledSpec spec = played.texts.byHash(String.valueOf(outcome.specHash()));
      boolean isAdoption = outcome.kind() == OutcomeKind.SPEC_ADOPTED;
      if (outcome.kind() == OutcomeKind.REVIVED) {
        String detail = String.valueOf(outcome.detail());
        returns.merge(detail.endsWith("nothing") ? Keep.NOTHING : Keep.MODEL, 1L, Long::sum);
      }
      if (isAdoption && String.valueOf(outcome.detail()).contains("more levels")) {
        extended++;
      }
      Decision decision = decided.get(outcome.decisionSeq());
      String arm = String.valueOf(outcome.arm());
      if (spec != null && decision != null && outcome.learned()) {
        learntOfRetiredArms += arm.startsWith("A=") && !spec.armIds().contains(arm) ? 1 : 0;
        learntTranslated += isMoved(decision, outcome) ? 1 : 0;
      }
    }
  }

  /** A decision's features may go on with numbers and the arm's. */
  private static boolean isMoved(Decision decision, Outcome outcome) {
    List<Double> there = outcome.features();
    List<Double> here = decision.features();
    return there != null && here != null && !there.equals(here.subList(0, there.size()));
  }

  /** Every record names the bounds that the last adoption before it named, and none twice. */
  private static void assertPriorsAreNamed(RecordedLog log) {
    Set<String> refutedRows = new TreeSet<>();
    String adopted = null;
    for (Record record : log.all) {
      if (record instanceof Decision decision) {
        assertEquals(adopted, decision.priorHash(), "at seq " + decision.seq());
      } else if (record instanceof Outcome outcome) {
        boolean isAdoption =
            outcome.kind() == OutcomeKind.PRIOR_ADOPTED
                || outcome.kind() == OutcomeKind.SPEC_ADOPTED;
        boolean isAnother = adopted == null || !adopted.equals(outcome.priorHash());
        if ((isAdoption && isAnother) || outcome.stateReset().contains("model")) {
          refutedRows.clear();
        }
        adopted = isAdoption ? outcome.priorHash() : adopted;
        assertEquals(adopted, outcome.priorHash(), "at seq " + outcome.seq());
        if (Rest.detail(Keep.NOTHING).equals(outcome.detail())) {
          adopted = null;
          refutedRows.clear();
        }
      } else if (record instanceof FairnessAudit audit && audit.kind() == AuditKind.PRIOR_REFUTED) {
        assertEquals(adopted, audit.priorHash(), "at seq " + audit.seq());
        assertTrue(
            refutedRows.add(audit.arm() + audit.priorContext()), "twice, at seq " + audit.seq());
        assertTrue(audit.upper() < audit.priorLower() || audit.lower() > audit.priorUpper());
      }
    }
  }

  private static void assertSeqHasNoGap(RecordedLog log) {
    long expected = 1;
    for (Record record : log.all) {
      if (record instanceof Decision decision) {
        boolean isUncovered = expected == 1 && decision.seq() == UncoveredSegment.UNNUMBERED;
        assertEquals(isUncovered ? 0 : expected++, decision.seq());
      } else if (record instanceof Outcome outcome) {
        assertEquals(expected++, outcome.seq());
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
        played.count(Account.CONTEXT_REJECTED) + played.count(Account.CONTEXT_STALE));
    assertEquals(0, played.count(Account.DECISION_AWAITING));
    assertEquals(0, played.count(Account.REWARD_HELD_EARLY));
    long evicted =
        played.log.outcomes.stream()
            .filter(one -> one.kind() == OutcomeKind.EVICTED && one.decisionSeq() != null)
            .count();
    assertEquals(evicted, played.count(Account.DECISION_EVICTED));
    assertEquals(played.outcomes(OutcomeKind.APPLIED), played.count(Account.REWARD_APPLIED));
    assertEquals(played.outcomes(OutcomeKind.COLLECTED), played.count(Account.REWARD_COLLECTED));
    long noSample = played.log.decisions.stream().filter(one -> isNoSample(one.why())).count();
    assertEquals(
        played.outcomes(OutcomeKind.APPLIED)
            + played.outcomes(OutcomeKind.EXPIRED)
            + played.outcomes(OutcomeKind.WINDOW_CLOSED)
            + evicted
            + noSample,
        bandit);
    assertEquals(played.letters(ErrorCode.DUPLICATE), played.count(Account.REWARD_DUPLICATE));
    assertEquals(played.letters(ErrorCode.CONFLICT), played.count(Account.REWARD_CONFLICTING));
    assertEquals(played.letters(ErrorCode.LATE), played.count(Account.REWARD_LATE));
    assertEquals(
        played.letters(ErrorCode.ORPHAN) + played.letters(ErrorCode.NO_ROOM),
        played.count(Account.REWARD_ORPHAN));
    assertEquals(
        played.letters(ErrorCode.UNLEARNT) + played.letters(ErrorCode.MODEL_CHANGED),
        played.count(Account.REWARD_UNLEARNT));
    assertEquals(
        played.letters(ErrorCode.DUPLICATE_CONTEXT), played.count(Account.CONTEXT_DUPLICATE));
    assertEquals(
        played.letters(ErrorCode.CONFLICT_CONTEXT), played.count(Account.CONTEXT_CONFLICTING));
  }

  private static boolean isNoSample(DecisionWhy why) {
    return why == DecisionWhy.HOLD || why == DecisionWhy.SERVE;
  }

  private static void assertNothingLeft(Played played) {
    MemorySegmentState state = ((MemoryTimers) played.timers).state;
    SegmentHead head = played.head();
    assertEquals(0, state.entryCount(), "entries left");
    assertEquals(0, state.chunkCount(), "chunks left");
    assertEquals(0, state.timerCount(), "timers left");
    assertEquals(0, head.pending, "pending counted");
    assertEquals(0, head.early, "early counted");
    assertEquals(0, head.tombstones, "tombstones counted");
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
    private final TestPriors priors = new TestPriors();
    private final RecordedLog log = new RecordedLog();
    private final SegmentMachine machine =
        new SegmentMachine(book, priors, () -> Scenario.ORIGIN_MILLIS, 0);
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
          priors.retire();
        } else {
          priors.publish(offer.set());
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
      return !UncoveredSegment.is(Scenario.SEGMENT, timers.state(), book);
    }

    void passTo(long time) {
      for (Long due = timers.poll(time); due != null; due = timers.poll(time)) {
        machine.onTimer(due, Scenario.SEGMENT, timers.state(), log);
      }
    }

    SegmentHead head() {
      SegmentState state = timers.state();
      SegmentHead head =
          state instanceof MemorySegmentState memory ? memory.headAlsoAtRest() : state.head();
      return head == null ? new SegmentHead() : head;
    }

    Ledgers ledgers() {
      return head().ledgers;
    }

    long count(Account account) {
      return ledgers().get(account);
    }

    long outcomes(OutcomeKind kind) {
      return log.outcomes.stream().filter(one -> one.kind() == kind).count();
    }

    long letters(ErrorCode code) {
      return log.deadLetters.stream().filter(one -> one.code().equals(code.name())).count();
    }
  }
}
