package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.Account;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.policy.StateBlock;
import io.equipoise.segment.state.Ledgers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Plays the shop of {@code best-offer.yaml} through the segment machine, restored from its bytes at
 * every access, and holds it against the batch algorithm fed the samples of the log.
 */
@Tag("slow")
class ExperimentReplayTest {
  private static final long FIRST_SEED = 500;
  private static final double SHARE = 0.8;
  private static final int RUNS = Tier.count(1, 10);
  private static final List<String> POLICIES = List.of("csr-v2", "csr-v1", "ts-v2", "ts-v1");
  private static final List<String> MODES = List.of("natural", "separate", "pooled");

  @Test
  void theExperimentOnEventsEqualsTheBatchSearchFedTheSameSamples() {
    int played = 0;
    int ended = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
      for (String policy : POLICIES) {
        for (String mode : MODES) {
          if (!isPlayed(policy, mode)) {
            continue;
          }
          played++;
          try {
            ended += play(spec(policy, mode), seed) ? 1 : 0;
          } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(policy + " " + mode + ", seed " + seed, e);
          }
        }
      }
    }
    assertEquals(played, ended);
  }

  /** The CI tier plays a third of the pairs: every policy, and every mode. */
  private static boolean isPlayed(String policy, String mode) {
    return Tier.isFull() || (POLICIES.indexOf(policy) + MODES.indexOf(mode)) % 3 == 0;
  }

  /** Outcomes count when their windows close; those that a phase did not wait for count later. */
  @Test
  void aPhaseThatWaitsForAShareOfItsWindowsLeavesTheRestToLaterOnes() {
    for (String policy : List.of("csr-v2", "ts-v2")) {
      String spec =
          spec(policy, "separate")
              .replace("mode: separate", "mode: separate\n  min-closed-fraction: " + SHARE)
              .replace("reward-window: 60s", "reward-window: 60s, learn: on-window-close");
      OfferRun run = new OfferRun(spec, FIRST_SEED);
      assertTrue(run.hasServed(), policy);
      run.log.replay(run.book, new TestBounds(), null);
      ExperimentBatch.assertAgrees(run.spec, run.log);
      long late = 0;
      for (ExperimentRecord record : run.log.experiments) {
        late += record.phase() == null ? 0 : record.phase().counts().late();
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
      if (record instanceof Decision decision && decision.sample() != null) {
        phaseOf.put(decision.seq(), decision.sample().phase());
        open.merge(decision.sample().phase(), 1, Integer::sum);
        pulls.merge(decision.sample().phase(), 1, Integer::sum);
      } else if (record instanceof SegmentEvent segmentEvent) {
        Integer phase = phaseOf.get(segmentEvent.decisionSeq());
        boolean isEnd =
            segmentEvent.type() == SegmentEventType.WINDOW_CLOSED
                || segmentEvent.type() == SegmentEventType.REWARD_TIMEOUT;
        if (phase != null && isEnd) {
          open.merge(phase, -1, Integer::sum);
        }
        if (segmentEvent.type() == SegmentEventType.PHASE_CLOSED) {
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
        .replace("samples: 3000", "samples: " + Tier.count(400, 700));
  }

  private static boolean play(String spec, long seed) {
    OfferRun run = new OfferRun(spec, seed);
    run.log.replay(run.book, new TestBounds(), null);
    assertLedgers(run);
    ExperimentBatch.assertAgrees(run.spec, run.log);
    double bytes = 0;
    for (Map.Entry<Long, StateBlock> block : run.state.blocks().entries()) {
      bytes += Long.BYTES + block.getValue().byteLength();
    }
    double planned = run.spec.policy().modelBytes();
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
            Account.DECISION_TIMED_OUT,
            Account.DECISION_CLOSED_NOT_LEARNABLE,
            Account.REWARD_DUPLICATE,
            Account.REWARD_LATE,
            Account.REWARD_NOT_LEARNABLE)) {
      assertTrue(ledgers.get(account) > 0, account + " never happened");
    }
  }
}
