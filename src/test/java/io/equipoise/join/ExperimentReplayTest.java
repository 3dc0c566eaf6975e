package io.equipoise.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.bandit.Block;
import io.equipoise.join.Ledgers.Account;
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

  private static String spec(String policy, String mode) {
    return OfferTraffic.spec()
        .replace("name: csr-v2", "name: " + policy)
        .replace("mode: natural", "mode: " + mode)
        .replace("pulls: 3000", "pulls: 700");
  }

  private static boolean play(String spec, long seed) {
    OfferRun run = new OfferRun(spec, seed);
    run.log.replay(new Oracle(run.book));
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
