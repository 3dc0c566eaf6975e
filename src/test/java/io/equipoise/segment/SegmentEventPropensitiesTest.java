package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Origin;
import io.equipoise.event.Propensities;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.replay.ReplayOracle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whoever reads segment events alone has the propensities that the decisions told, bit for bit. */
@Tag("slow")
class SegmentEventPropensitiesTest {
  private static final long START = 1_700_000_000_000L;
  private static final String SEGMENT = "s";
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
  private static final String REWARD = "{range: [0, 1]}";
  private static final List<String> ARMS = List.of("A=left", "A=right");

  private final SplittableRandom random = new SplittableRandom(20_261_122);
  private final TestBook book = new TestBook();
  private final ByteSegmentState state = new ByteSegmentState(); // restored at every access
  private final RecordedLog log = new RecordedLog();
  private final SegmentMachine machine = new SegmentMachine(book, () -> START, 0);
  private long now = START;
  private long offset;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "linucb, explore: {share: 0.3, over: all} | EXACT",
        "lin-ts, sample: {draws: 20} | ESTIMATED",
        "lin-ts, explore: {share: 0.3, over: all} | ESTIMATED",
        "epsilon-greedy, epsilon: 0.1 | EXACT",
        "ucb, ties: seeded | EXACT",
        "f-ucb, explore: {share: 0.4, over: all} | EXACT",
        "cclb, explore: {share: 0.2, over: all} | EXACT",
        "oam, horizon: 1000, explore: {share: 0.4, over: all} | EXACT",
        "linucb | DETERMINISTIC"
      })
  void whateverEndsADecisionTellsItsPropensities(String policy, PropensityKind kind) {
    book.publish(TestSpecs.text(policy, 1, JOIN, REWARD, "reject"));
    for (int round = 0; round < 120; round++) {
      Decision decision = ask(null);
      int fate = random.nextInt(4); // learned, another arm learned, the window closes
      if (fate < 3) {
        reward(decision, null, fate == 2 ? other(decision) : null, random.nextInt(2));
      }
    }
    assertAllTold(kind, 120);
    assertEquals(2, kinds().size(), "applied and expired: " + kinds());
  }

  @Test
  void whatIsLearnedOfAnExperimentsSampleTellsItsUrn() {
    book.publish(
        TestSpecs.experiment(
            "csr-v2, samples: 60, control: \"A=left\"", 1, JOIN, REWARD, "reject"));
    for (int round = 0; round < 30; round++) {
      reward(ask(null), null, null, 1);
    }
    assertAllTold(null, 30);
    assertTrue(
        log.segmentEvents.stream()
            .anyMatch(
                o ->
                    o.decision() != null
                        && o.decision().propensities().kind() == PropensityKind.EXACT),
        "no sample is drawn");
  }

  @ParameterizedTest
  @CsvSource({"epsilon-greedy, EXACT", "lin-ts, ESTIMATED"})
  void candidatesOfARequestHaveTheirPropensitiesInItsOrder(String policy, PropensityKind kind) {
    String options = policy.equals("lin-ts") ? policy : policy + ", epsilon: 0.1";
    book.publish(TestSpecs.text(options, 1, JOIN, REWARD, "reject"));
    for (int round = 0; round < 60; round++) {
      List<CandidateArm> own = new ArrayList<>();
      for (int place = 0; place <= round; place++) {
        own.add(
            new CandidateArm(
                "own-" + (round + place), Map.of("A", random.nextBoolean() ? "left" : "right")));
      }
      Decision decision = ask(own);
      assertEquals(round + 1, decision.candidates().size());
      assertEquals(1, sum(decision.propensitiesOf(decision.candidates())), 1e-12);
      if (round % 3 > 0) {
        reward(decision, null, null, random.nextInt(2));
      }
    }
    assertAllTold(kind, 60);
  }

  @Test
  void rewardsOfAnAggregateAndItsEndTellThem() {
    String join =
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, aggregate: sum}";
    book.publish(TestSpecs.text("epsilon-greedy, epsilon: 0.1", 1, join, REWARD, "reject"));
    for (int round = 0; round < 40; round++) {
      Decision decision = ask(null);
      String shown = round % 2 == 0 ? null : other(decision);
      reward(decision, "first", shown, 0.25);
      reward(decision, "second", shown, 0.5);
    }
    assertAllTold(PropensityKind.EXACT, 120);
    assertEquals(2, kinds().size(), "collected and closed: " + kinds());
    for (SegmentEvent segmentEvent : log.segmentEvents) {
      Decision decision = decisions().get(segmentEvent.decisionSeq());
      assertEquals(
          decision != null && decision.arm().equals(segmentEvent.arm())
              ? decision.propensitiesOf(ARMS).get(ARMS.indexOf(segmentEvent.arm()))
              : null,
          decision == null ? null : segmentEvent.decision().propensity());
    }
  }

  @Test
  void aDefaultRewardTellsThem() {
    String reward = "{range: [0, 1], default: {value: 0, mediators: {M: \"0\"}}}";
    book.publish(TestSpecs.text("epsilon-greedy, epsilon: 0.1", 1, JOIN, reward, "reject"));
    for (int round = 0; round < 20; round++) {
      ask(null);
    }
    assertAllTold(PropensityKind.EXACT, 20);
    assertTrue(
        log.segmentEvents.stream()
            .filter(o -> o.decisionSeq() != null)
            .allMatch(SegmentEvent::learned));
  }

  /** The order is that of the spec that the decision names, also where an arm went since. */
  @Test
  void aNewSpecChangesNothingInThem() {
    String[] arms = {"{id: one, A: left}", "{id: two, A: right}"};
    book.publish(SpecVariant.of("epsilon-greedy, epsilon: 0.1").arms(arms).text());
    Decision before = ask(null);
    book.publish(SpecVariant.of("epsilon-greedy, epsilon: 0.1").version(2).arms(arms[1]).text());
    assertEquals(1, ask(null).propensities().values().size());
    reward(before, null, null, 1);
    assertAllTold(PropensityKind.EXACT, 2);
    assertEquals(1, kinds().get(SegmentEventType.REWARD_APPLIED));
  }

  /** Levels have other indices then, and are translated. */
  @Test
  void anAddedLevelChangesNothingInThem() {
    String seeded = "ucb, ties: seeded";
    book.publish(SpecVariant.of(seeded).text());
    Decision before = ask(null);
    assertEquals(List.of(0.5, 0.5), before.propensitiesOf(ARMS));
    SpecVariant later = SpecVariant.of(seeded).version(2);
    book.publish(later.levels("X", "mid", "low", "high").text());
    ask(null);
    reward(before, null, null, 1);
    assertAllTold(PropensityKind.EXACT, 2);
    SegmentEvent applied =
        log.segmentEvents.stream()
            .filter(o -> o.type() == SegmentEventType.REWARD_APPLIED)
            .findFirst()
            .orElseThrow();
    assertEquals(before.features().get(1) + 1, applied.features().get(1), "translated");
  }

  @Test
  void anotherChangeHasNone() {
    book.publish(TestSpecs.text("epsilon-greedy, epsilon: 0.1", 1, JOIN, REWARD, "reject"));
    ask(null);
    SegmentEvent adopted = log.segmentEvents.get(0);
    assertEquals(SegmentEventType.SPEC_ADOPTED, adopted.type());
    assertNull(adopted.decision());
  }

  /** Weights are at most 5, as epsilon / 2 = 0.2: four standard errors of a mean are below 0.15. */
  @Test
  void segmentEventsAloneSayWhatOtherPoliciesWouldHaveEarned() {
    book.publish(TestSpecs.text("epsilon-greedy, epsilon: 0.4", 1, JOIN, REWARD, "reject"));
    double[] paid = {0.7, 0.3};
    int rounds = 4000;
    for (int round = 0; round < rounds; round++) {
      Decision decision = ask(null);
      int arm = ARMS.indexOf(decision.arm());
      reward(decision, null, null, random.nextDouble() < paid[arm] ? 1 : 0);
    }
    double[] earned = new double[2];
    double likeliest = 0;
    for (SegmentEvent segmentEvent : log.segmentEvents) {
      if (segmentEvent.type() == SegmentEventType.REWARD_APPLIED) {
        int arm = ARMS.indexOf(segmentEvent.arm());
        List<Double> all = segmentEvent.decision().propensities().values();
        double weighted = segmentEvent.observedReward() / all.get(arm) / rounds;
        earned[arm] += weighted;
        likeliest += all.get(arm) > all.get(1 - arm) ? weighted : 0;
      }
    }
    double tolerance = 4 * Math.sqrt(5.0 / rounds);
    assertEquals(paid[0], earned[0], tolerance, "always left");
    assertEquals(paid[1], earned[1], tolerance, "always right");
    assertEquals(paid[0], likeliest, tolerance, "the rule without exploration, which learns soon");
  }

  private static double sum(List<Double> all) {
    return all.stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Lets all windows close, and compares every segment event of a decision with it. */
  private void assertAllTold(@Nullable PropensityKind kind, int least) {
    passTo(now + 200_000);
    Map<Long, Decision> decisions = decisions();
    int told = 0;
    for (SegmentEvent segmentEvent : log.segmentEvents) {
      Decision decision = decisions.get(segmentEvent.decisionSeq());
      if (decision != null) {
        Propensities propensities = segmentEvent.decision().propensities();
        assertEquals(decision.propensities(), propensities);
        assertTrue(kind == null || kind == propensities.kind(), segmentEvent.toString());
        told++;
      }
    }
    assertTrue(told >= least, told + " of " + least);
    log.replay(new ReplayOracle(book));
  }

  private Map<Long, Decision> decisions() {
    Map<Long, Decision> bySeq = new HashMap<>();
    log.decisions.forEach(decision -> bySeq.put(decision.seq(), decision));
    return bySeq;
  }

  /** Returns the kinds of segment events that are about a decision. */
  private Map<SegmentEventType, Integer> kinds() {
    Map<SegmentEventType, Integer> kinds = new TreeMap<>();
    for (SegmentEvent segmentEvent : log.segmentEvents) {
      if (segmentEvent.decisionSeq() != null) {
        kinds.merge(segmentEvent.type(), 1, Integer::sum);
      }
    }
    return kinds;
  }

  private Decision ask(@Nullable List<CandidateArm> own) {
    now += 100;
    Map<String, Object> person = new TreeMap<>();
    person.put("S", random.nextBoolean() ? "a" : "b");
    person.put("X", random.nextBoolean() ? "low" : "high");
    machine.onContext(
        new ContextEvent(
            "d" + offset, SEGMENT, now, person, own, null, origin("contexts"), new byte[0]),
        state,
        log);
    return log.decisions.get(log.decisions.size() - 1);
  }

  private void reward(
      Decision decision, @Nullable String id, @Nullable String shown, double value) {
    machine.onReward(
        new RewardEvent(
            decision.decisionId(),
            id,
            SEGMENT,
            now + 1,
            value,
            Map.of("M", "1"),
            shown,
            origin("rewards"),
            new byte[0]),
        state,
        log);
  }

  private Origin origin(String topic) {
    return new Origin(topic, 0, offset++, now);
  }

  private void passTo(long time) {
    for (Long due = state.pollTimer(time); due != null; due = state.pollTimer(time)) {
      machine.onTimer(due, SEGMENT, state, log);
    }
  }

  private static String other(Decision decision) {
    return ARMS.get(1 - ARMS.indexOf(decision.arm()));
  }
}
