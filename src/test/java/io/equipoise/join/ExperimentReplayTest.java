package io.equipoise.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.bandit.Block;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.join.Ledgers.Account;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Plays the shop of {@code best-offer.yaml} through the segment machine, restored from its bytes at
 * every access, and holds it against the batch algorithm fed the samples of the log.
 */
class ExperimentReplayTest {
  private static final long FIRST_SEED = 500;
  private static final double SHARE = 0.8;
  private static final int RUNS = Tier.count(1, 10);
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

  /** Outcomes count when their windows close; those that a phase did not wait for count later. */
  @Test
  void aPhaseThatWaitsForAShareOfItsWindowsLeavesTheRestToLaterOnes() {
    for (String policy : List.of("csr-v2", "ts-v2")) {
      String spec =
          spec(policy, "separate")
              .replace("mode: separate", "mode: separate\n  close-share: " + SHARE)
              .replace("window: 60s", "window: 60s, release: window-close");
      OfferRun run = new OfferRun(spec, FIRST_SEED);
      assertTrue(run.hasServed(), policy);
      run.log.replay(run.book, new TestPriors(), null);
      ExperimentBatch.assertAgrees(run.spec, run.log);
      long late = 0;
      for (FairnessAudit audit : run.log.audits) {
        late += audit.phase() == null ? 0 : audit.phase().late();
      }
      assertTrue(late > 0, policy + ", seed " + FIRST_SEED);
      assertWaited(run);
    }
  }

  /** At the end of a phase few enough of its pulls are open; of some phase there are some. */
  private static void assertWaited(OfferRun run) {
    Map<Integer, Integer> open = new HashMap<>();
    Map<Integer, Integer> pulls = new HashMap<>();
    Map<Long, Integer> phaseOf = new HashMap<>();
    int closed = 0;
    int most = 0;
    for (Record record : run.log.all) {
      if (record instanceof Decision decision && decision.phase() != null) {
        phaseOf.put(decision.seq(), decision.phase());
        open.merge(decision.phase(), 1, Integer::sum);
        pulls.merge(decision.phase(), 1, Integer::sum);
      } else if (record instanceof Outcome outcome) {
        Integer phase = phaseOf.get(outcome.decisionSeq());
        boolean isEnd =
            outcome.kind() == OutcomeKind.WINDOW_CLOSED || outcome.kind() == OutcomeKind.EXPIRED;
        if (phase != null && isEnd) {
          open.merge(phase, -1, Integer::sum);
        }
        if (outcome.kind() == OutcomeKind.PHASE_CLOSED) {
          int left = open.getOrDefault(closed, 0);
          assertTrue(left <= (1 - SHARE) * pulls.getOrDefault(closed, 0) + 1e-9, "phase " + closed);
          most = Math.max(most, left);
          closed++;
        }
      }
    }
    assertTrue(most > 0, "no phase left any");
  }

  private static String spec(String policy, String mode) {
    return OfferTraffic.spec()
        .replace("name: csr-v2", "name: " + policy)
        .replace("mode: natural", "mode: " + mode)
        .replace("pulls: 3000", "pulls: 700");
  }

  private static boolean play(String spec, long seed) {
    OfferRun run = new OfferRun(spec, seed);
    run.log.replay(run.book, new TestPriors(), null);
    assertLedgers(run);
    ExperimentBatch.assertAgrees(run.spec, run.log);
    double bytes = 0;
    for (Map.Entry<Long, Block> block : run.state.blocks().entries()) {
      bytes += Long.BYTES + block.getValue().byteLength();
    }
    double planned = run.spec.bandit().modelBytes();
    assertTrue(bytes <= planned, bytes + " bytes, at most " + planned + " were told");
    return run.hasServed();
  }

  private static void assertLedgers(OfferRun run) {
    Ledgers ledgers = Objects.requireNonNull(run.state.head()).ledgers;
    assertEquals(run.contexts, ledgers.contextsRead());
    assertEquals(run.rewards, ledgers.rewardsRead());
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
