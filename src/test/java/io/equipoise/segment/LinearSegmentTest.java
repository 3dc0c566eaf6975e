package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Account;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.linear.PolicyState;
import io.equipoise.segment.replay.ReplayOracle;
import io.equipoise.segment.state.Ledgers;
import io.equipoise.segment.state.MemorySegmentState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Linear policies in a segment: features, a request's own arms, arms that come and go. */
class LinearSegmentTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, fallback: \"A=left\"}";
  private static final String REWARD = "{range: [0, 1]}";
  private static final long START = 1_700_000_000_000L;

  private final TestBook book = new TestBook();
  private final RecordedLog log = new RecordedLog();
  private final MemorySegmentState state = new MemorySegmentState();
  private final SegmentMachine machine = new SegmentMachine(book, new TestBounds(), () -> START, 0);
  private long time = START;
  private int count;

  private void publish(String policy, int number, String onChange) {
    book.publish(TestSpecs.compiled(TestSpecs.text(policy, number, JOIN, REWARD, onChange)));
  }

  private Decision ask(@Nullable List<CandidateArm> candidates) {
    time += 10;
    machine.onContext(
        new ContextEvent(
            "d" + ++count,
            "s",
            time,
            Map.of("S", "a", "X", "low"),
            candidates,
            null,
            new Origin("contexts", 0, count, START),
            new byte[0]),
        state,
        log);
    return log.decisions.get(log.decisions.size() - 1);
  }

  private SegmentEvent reward(double value, @Nullable String shown) {
    return reward(value, shown, null);
  }

  private SegmentEvent reward(double value, @Nullable String shown, @Nullable String id) {
    machine.onReward(
        new RewardEvent(
            "d" + count,
            id,
            "s",
            time + 5,
            value,
            Map.of(),
            shown,
            new Origin("rewards", 0, count, START),
            new byte[0]),
        state,
        log);
    return log.segmentEvents.get(log.segmentEvents.size() - 1);
  }

  private static CandidateArm arm(String id, String level) {
    return new CandidateArm(id, Map.of("A", level));
  }

  @Test
  void whatAnArmBroughtMovesItsMeanAndNoOtherArms() {
    publish("linucb, alpha: 0", 1, "reject");
    assertEquals("A=left", ask(null).arm(), "a tie goes to the first");
    assertEquals(SegmentEventType.REWARD_APPLIED, reward(0.1, "A=right").type());
    Decision next = ask(null);
    assertEquals("A=right", next.arm(), "it alone is known to bring something");
    assertTrue(next.mean() > 0 && next.mean() < 0.1, "shrunk by the ridge: " + next.mean());
    assertEquals(List.of(0.0, 0.0), next.features());
    assertNull(next.candidateFeatures());
    assertEquals(1, log.audits.get(0).seq() - 1);
  }

  @Test
  void aRequestMayBringArmsThatNobodySawBefore() {
    publish("linucb, model: shared, alpha: 0, features: [{one-hot: A}]", 1, "reject");
    Decision first = ask(List.of(arm("video-1", "right"), arm("video-2", "left")));
    assertEquals("video-1", first.arm());
    assertEquals(List.of("video-1", "video-2"), first.candidates());
    assertEquals(List.of(List.of(1.0), List.of(0.0)), first.candidateFeatures());
    reward(1, null);
    Decision second = ask(List.of(arm("video-3", "left"), arm("video-4", "right")));
    assertEquals("video-4", second.arm(), "it has the attribute that brought a reward");
    assertEquals(SegmentEventType.REWARD_APPLIED, reward(1, null).type());
    assertEquals("A=right", ask(null).arm(), "the spec's arms have attributes too");
    log.replay(new ReplayOracle(book, new TestBounds()));
  }

  @Test
  void anArmThatIsGoneMayStillBeRewardedAndAnotherOnlyIfTheSpecHasIt() {
    publish("linucb", 1, "reject");
    ask(List.of(arm("gone", "left")));
    publish("linucb, alpha: 2", 2, "reject");
    assertEquals("gone", reward(1, null).arm());
    ask(null);
    reward(1, "elsewhere");
    assertEquals("UNKNOWN_ARM", log.deadLetters.get(0).code());
    assertTrue(log.deadLetters.get(0).message().contains("no spec"), "and no word of candidates");
    assertEquals(SegmentEventType.REWARD_APPLIED, reward(1, null).type(), "corrected");
    ask(List.of(arm("gone", "left"), arm("other", "right")));
    assertEquals("A=right", reward(1, "A=right").arm());
  }

  /** Nobody saw the arm decided, and what the other one was like is not kept. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "reward-window: 60s",
        "reward-window: 60s, learn: on-window-close",
        "reward-window: 60s, aggregate: sum"
      })
  void aRewardOfAnotherOfTheRequestsArmsClosesTheDecisionNotLearnable(String join) {
    String reward = "{range: [0, 1], default: {value: 1}}";
    book.publish(TestSpecs.text("linucb", 1, "{%s}".formatted(join), reward, "reject"));
    ask(List.of(arm("chosen", "left"), arm("other", "right")));
    SegmentEvent closed = reward(1, "other", "r1");
    assertEquals(SegmentEventType.REWARD_APPLIED, closed.type());
    assertEquals("UNKNOWN_ARM", closed.reason());
    assertEquals("other", closed.arm());
    assertFalse(closed.learned());
    assertNull(closed.decision().propensity());
    assertEquals(List.of(), log.deadLetters);
    reward(1, null, "r2");
    boolean aggregates = join.contains("aggregate");
    assertEquals(
        aggregates ? "DECISION_NOT_LEARNABLE" : "CONFLICTING_REWARD",
        log.deadLetters.get(0).code());
    int outcomes = log.segmentEvents.size();
    for (Long timer = state.pollTimer(time + 70_000);
        timer != null;
        timer = state.pollTimer(time + 70_000)) {
      machine.onTimer(timer, "s", state, log);
    }
    assertEquals(outcomes, log.segmentEvents.size(), "no default for what nobody saw");
    Decision next = ask(List.of(arm("chosen", "left")));
    assertEquals(0.0, next.mean());
    Ledgers ledgers = Objects.requireNonNull(state.head()).ledgers;
    assertEquals(1, ledgers.get(Account.DECISION_CLOSED_NOT_LEARNABLE));
    assertEquals(1, ledgers.get(Account.REWARD_APPLIED));
    assertEquals(aggregates ? 1 : 0, ledgers.get(Account.REWARD_NOT_LEARNABLE));
    log.replay(new ReplayOracle(book, new TestBounds()));
  }

  @Test
  void aRewardOfAnotherArmThanThoseBeforeIsAConflict() {
    String join = "{reward-window: 60s, aggregate: sum}";
    book.publish(TestSpecs.text("linucb", 1, join, REWARD, "reject"));
    ask(List.of(arm("chosen", "left"), arm("other", "right")));
    assertEquals(SegmentEventType.REWARD_BUFFERED, reward(0.5, null, "r1").type());
    reward(0.5, "other", "r2");
    assertEquals("CONFLICTING_REWARD", log.deadLetters.get(0).code());
  }

  /** Else a reward that names it would be learned with what the spec's arm sets. */
  @Test
  void aCandidateThatOnlyBearsTheNameOfAnArmOfTheSpecIsRefused() {
    publish("linucb", 1, "reject");
    Decision refused = ask(List.of(arm("x", "left"), arm("A=left", "right")));
    assertEquals("CANDIDATES_INVALID", refused.errorCode());
    Decision some = ask(List.of(arm("A=right", "right"), arm("x", "left")));
    assertEquals(List.of("A=right", "x"), some.candidates(), "it is that arm");
  }

  @Test
  void requestsThatCannotBeAnsweredFromTheirArmsAreRejectedWithTheFallback() {
    publish("linucb", 1, "reject");
    for (List<CandidateArm> given :
        List.of(
            List.<CandidateArm>of(),
            List.of(arm("x", "left"), arm("x", "right")),
            List.of(arm("", "left")),
            List.of(arm("a\u0001", "left")),
            List.of(arm("a\u2028", "left")))) {
      Decision answer = ask(given);
      assertEquals(DecisionReason.REJECTED, answer.reason());
      assertEquals("CANDIDATES_INVALID", answer.errorCode());
      assertEquals("A=left", answer.arm());
    }
    assertEquals("UNKNOWN_LEVEL", ask(List.of(arm("x", "up"))).errorCode());
    assertEquals(6, log.deadLetters.size());
  }

  @Test
  void anotherGammaKeepsTheMeansOfGroupsAndAnotherPenaltyStartsTheModelAnew() {
    String groups =
        "fair-linucb, alpha: 0.01, groups: {attribute: S, privileged: a, protected: b, gamma: %s}";
    publish(groups.formatted("1"), 1, "reject");
    ask(null);
    reward(1, null);
    String model = ask(null).versions().modelFingerprint();
    Map<Long, StateBlock> before = ownBlocks();
    assertEquals(2, before.size(), "means of all and of the arm");
    publish(groups.formatted("2"), 2, "reject");
    Decision after = ask(null);
    assertEquals(model, after.versions().modelFingerprint());
    assertTrue(after.mean() > 0, "the ridge goes on");
    assertEquals(List.of(), stateReset());
    assertEquals(before, ownBlocks());
    publish("linucb, ridge: 3", 3, "reset");
    assertNotEquals(model, ask(null).versions().modelFingerprint());
    log.replay(new ReplayOracle(book, new TestBounds()));
  }

  /** Both are of the gamma in force: what an adaptive one ran up says nothing to a fixed one. */
  @Test
  void anotherGammaStartsTheDebtOfAnAdaptiveOneAnew() {
    String groups = "fair-linucb, groups: {attribute: S, privileged: a, protected: b, gamma: %s}";
    publish(groups.formatted("adaptive"), 1, "reject");
    ask(null);
    reward(1, null);
    ask(null);
    reward(0, null);
    Map<Long, StateBlock> wanted = ownBlocks();
    assertNotNull(wanted.remove(2L << 32), "the debt");
    assertEquals(3, wanted.size(), "means of all and of both arms");
    publish(groups.formatted("2"), 2, "reject");
    ask(null);
    assertEquals(List.of("policy-state"), stateReset());
    assertEquals(wanted, ownBlocks());
    publish(groups.formatted("adaptive"), 3, "reject");
    ask(null);
    assertEquals(List.of(), stateReset(), "there is no debt");
    log.replay(new ReplayOracle(book, new TestBounds()));
  }

  private List<String> stateReset() {
    return log.segmentEvents.stream()
        .filter(one -> one.type() == SegmentEventType.SPEC_ADOPTED)
        .reduce((one, two) -> two)
        .orElseThrow()
        .stateReset();
  }

  @Test
  void theMeansOfGroupsOutliveAnotherThresholdAndAnotherAlpha() {
    String groups = "groups: {attribute: S, privileged: a, protected: b, gamma: adaptive}";
    String policy = "fair-linucb, alpha: %s, " + groups;
    publish(policy.formatted("0.01"), 1, "reject");
    ask(null);
    reward(1, null);
    ask(null);
    reward(0.5, null);
    Map<Long, StateBlock> before = ownBlocks();
    assertEquals(3, before.size(), "means of all, of the arm, and the debt");
    book.publish(
        TestSpecs.text(policy.formatted("0.02"), 2, JOIN, REWARD, "reject")
            .replace("tau: 0.2", "tau: 0.3"));
    ask(null);
    assertEquals(List.of(), log.segmentEvents.get(log.segmentEvents.size() - 1).stateReset());
    assertEquals(before, ownBlocks());
    log.replay(new ReplayOracle(book, new TestBounds()));
  }

  /** Returns what a linear policy keeps besides regressions. */
  private Map<Long, StateBlock> ownBlocks() {
    Map<Long, StateBlock> own = new TreeMap<>();
    for (Map.Entry<Long, StateBlock> entry : state.blocks().entries()) {
      if (entry.getKey() >= 1L << 32 && entry.getKey() < 3L << 32) {
        own.put(entry.getKey(), entry.getValue().copy());
      }
    }
    return own;
  }

  @Test
  void whatThePolicyRemembersOfItsOwnIsKept() {
    publish("fair-linucb, groups: {attribute: S, privileged: a, protected: b}", 1, "reject");
    ask(null);
    reward(1, null);
    ask(null);
    reward(0, null);
    PolicyState own = (PolicyState) state.blocks().get(2L << 32);
    assertEquals(-0.5, Objects.requireNonNull(own).debt(), "half a reward less than the mean");
  }

  @Test
  void explorationGivesEveryArmAChance() {
    publish("epsilon-greedy, epsilon: 0.5", 1, "reject");
    Decision decision = ask(null);
    assertEquals(List.of(0.75, 0.25), decision.propensities().values());
    assertEquals("EXACT", decision.propensities().kind().name());
    for (int left = 30; left > 0; left--) {
      ask(null);
    }
    int explored = 0;
    for (int i = 0; i < log.decisions.size(); i++) {
      boolean isExplored = log.audits.get(i).explored();
      assertEquals(isExplored ? "A=right" : "A=left", log.decisions.get(i).arm());
      explored += isExplored ? 1 : 0;
    }
    assertTrue(explored > 2 && explored < 15, "explored " + explored);
  }
}
