package io.equipoise.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionWhy;
import io.equipoise.join.Ledgers.Account;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Plays the shop of {@code best-offer.yaml} through the segment machine, restored from its bytes at
 * every access, and holds it against the batch algorithm fed the samples of the log.
 */
class ExperimentReplayTest {
  private static final long FIRST_SEED = 500;
  private static final int RUNS = Tier.count(1, 10);
  private static final int MOST_VISITORS = 40_000;
  private static final List<String> POLICIES = List.of("csr-v2", "csr-v1", "ts-v2", "ts-v1");
  private static final List<String> MODES = List.of("natural", "separate", "pooled");

  @Test
  void theExperimentOnEventsEqualsTheBatchSearchFedTheSameSamples() {
    int ended = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
      for (String policy : POLICIES) {
        for (String mode : MODES) {
          try {
            ended += play(spec(policy, mode), seed) ? 1 : 0;
          } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(policy + " " + mode + ", seed " + seed, e);
          }
        }
      }
    }
    assertEquals(RUNS * POLICIES.size() * MODES.size(), ended);
  }

  private static String spec(String policy, String mode) {
    return OfferTraffic.spec()
        .replace("name: csr-v2", "name: " + policy)
        .replace("mode: natural", "mode: " + mode)
        .replace("pulls: 3000", "pulls: 700");
  }

  /** Returns whether the experiment came to its end, and it served after that. */
  private static boolean play(String spec, long seed) {
    TestBook book = new TestBook().publish(spec);
    ByteSegmentState state = new ByteSegmentState();
    RecordedLog log = new RecordedLog();
    SegmentMachine machine = new SegmentMachine(book, () -> Scenario.ORIGIN_MILLIS, 0);
    OfferTraffic traffic = new OfferTraffic(seed, Scenario.SEGMENT);
    long now = Scenario.ORIGIN_MILLIS;
    int contexts = 0;
    int rewards = 0;
    int served = 0;
    for (int i = 0; i < MOST_VISITORS && served < 50; i++) {
      now += 150;
      for (OfferTraffic.Sent sent : traffic.visit(now)) {
        if (sent instanceof OfferTraffic.Visit visit) {
          contexts++;
          int before = log.decisions.size();
          machine.onContext(visit.event(), state, log);
          for (Decision decision : log.decisions.subList(before, log.decisions.size())) {
            served += decision.why() == DecisionWhy.SERVE ? 1 : 0;
            traffic.show(decision);
          }
        } else {
          rewards++;
          machine.onReward(((OfferTraffic.Outcome) sent).event(), state, log);
        }
      }
      passTo(now - 5_000, state, machine, log);
    }
    log.replay(new Oracle(book));
    assertLedgers(state, contexts, rewards);
    CompiledSpec compiled = Objects.requireNonNull(book.select(Scenario.SEGMENT));
    ExperimentBatch.assertAgrees(compiled, log);
    return served >= 50;
  }

  private static void passTo(
      long time, ByteSegmentState state, SegmentMachine machine, RecordedLog log) {
    for (Long due = state.pollTimer(time); due != null; due = state.pollTimer(time)) {
      machine.onTimer(due, Scenario.SEGMENT, state, log);
    }
  }

  private static void assertLedgers(ByteSegmentState state, int contexts, int rewards) {
    Ledgers ledgers = Objects.requireNonNull(state.head()).ledgers;
    assertEquals(contexts, ledgers.contextsRead());
    assertEquals(rewards, ledgers.rewardsRead());
    assertEquals(ledgers.get(Account.CONTEXT_DECIDED), ledgers.decisions());
    for (Account account :
        List.of(
            Account.CONTEXT_DUPLICATE,
            Account.DECISION_SETTLED,
            Account.DECISION_EXPIRED,
            Account.DECISION_CLOSED_UNLEARNT,
            Account.REWARD_DUPLICATE,
            Account.REWARD_LATE,
            Account.REWARD_UNLEARNT)) {
      assertTrue(ledgers.get(account) > 0, account + " never happened");
    }
  }
}
