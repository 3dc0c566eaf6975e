package io.equipoise.join;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.bandit.csr.BatchSearch;
import io.equipoise.bandit.csr.Conclusion;
import io.equipoise.bandit.csr.CsrBandit;
import io.equipoise.bandit.csr.Design;
import io.equipoise.bandit.csr.Verdict;
import io.equipoise.event.ArmAudit;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionWhy;
import io.equipoise.event.EliminationAudit;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import io.equipoise.join.Ledgers.Account;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
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
    assertBatchAgrees((CsrBandit) compiled.bandit(), compiled, log);
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

  private record Counted(int type, int group, int arm, int cell, int level, double reward) {}

  /** What the log says of one phase. */
  private record Phase(int[][] pulls, List<Counted> samples) {}

  private static void assertBatchAgrees(CsrBandit bandit, CompiledSpec spec, RecordedLog log) {
    Design design = bandit.design();
    List<Phase> phases = phases(design, spec, log);
    BatchSearch.Result batch =
        new BatchSearch(design)
            .run(
                (phase, quota, into) -> {
                  Phase logged = phases.get(phase.place());
                  assertArrayEquals(quota, logged.pulls(), "quotas are met exactly");
                  for (Counted one : logged.samples()) {
                    into.add(
                        one.type(), one.group(), one.arm(), one.cell(), one.level(), one.reward());
                  }
                });
    List<PhaseAudit> audits =
        log.audits.stream().map(FairnessAudit::phase).flatMap(Stream::ofNullable).toList();
    assertEquals(batch.verdicts().size(), audits.size());
    for (int place = 0; place < audits.size(); place++) {
      assertVerdict(spec, batch.verdicts().get(place), audits.get(place));
    }
    TerminalAudit end =
        log.audits.stream().map(FairnessAudit::terminal).flatMap(Stream::ofNullable).toList().get(0);
    assertEquals(batch.pulls(), end.pulls());
    assertTrue(end.costSpent() <= design.costs().budget() * design.settings().samples() + 1e-9);
    String served = log.decisions.get(log.decisions.size() - 1).arm();
    if (batch.conclusion() instanceof Conclusion.BestFairArm found) {
      assertEquals(spec.armIds().get(found.arm()), end.arm());
      assertEquals(end.arm(), served);
    } else {
      assertEquals(TerminalKind.NO_FAIR_ARM, end.kind());
      assertEquals("as-is", served);
    }
  }

  private static void assertVerdict(CompiledSpec spec, Verdict batch, PhaseAudit audit) {
    assertEquals(ids(spec, batch.before()), audit.arms().stream().map(ArmAudit::arm).toList());
    assertEquals(ids(spec, batch.fair()), audit.fair());
    assertEquals(ids(spec, batch.after()), audit.after());
    assertEquals(batch.isGateClosed(), audit.gateClosed());
    assertEquals(batch.leader() < 0 ? null : spec.armIds().get(batch.leader()), audit.leader());
    assertEquals(
        batch.eliminated().stream().map(one -> one.reason().name() + one.value()).toList(),
        audit.eliminated().stream().map(one -> one.reason().name() + one.value()).toList());
    assertEquals(
        batch.eliminated().stream().map(one -> spec.armIds().get(one.arm())).toList(),
        audit.eliminated().stream().map(EliminationAudit::arm).toList());
  }

  private static List<String> ids(CompiledSpec spec, BitSet arms) {
    return arms.stream().mapToObj(spec.armIds()::get).toList();
  }

  /** Takes from the log what each phase pulled and what its estimates rest on. */
  private static List<Phase> phases(Design design, CompiledSpec spec, RecordedLog log) {
    List<Phase> phases = new ArrayList<>();
    design.plan().forEach(phase -> phases.add(new Phase(pulls(design, spec), new ArrayList<>())));
    Map<Long, Decision> pulled = new HashMap<>();
    for (Record record : log.all) {
      if (record instanceof Decision decision && decision.why() == DecisionWhy.PULL) {
        pulled.put(decision.seq(), decision);
        phases.get(decision.phase()).pulls()[decision.sampleType()][arm(spec, decision)]++;
      } else if (record instanceof Outcome outcome && outcome.learnedReward() != null) {
        Decision decision = Objects.requireNonNull(pulled.get(outcome.decisionSeq()));
        phases.get(decision.phase()).samples().add(counted(spec, decision, outcome));
      }
    }
    return phases;
  }

  private static int[][] pulls(Design design, CompiledSpec spec) {
    return new int[design.settings().mode().types()][spec.armIds().size()];
  }

  private static int arm(CompiledSpec spec, Decision decision) {
    return spec.armIds().indexOf(decision.arm());
  }

  /** An outcome that never came is a reward of 0, at any level of the offer. */
  private static Counted counted(CompiledSpec spec, Decision decision, Outcome outcome) {
    List<Double> person = Objects.requireNonNull(decision.features());
    int age = person.get(0).intValue();
    String offer = outcome.mediators().get("offer");
    int level = offer == null ? 0 : List.of("none", "small", "big").indexOf(offer);
    double reward = Objects.requireNonNull(outcome.learnedReward());
    assertTrue(outcome.kind() == OutcomeKind.APPLIED || (offer == null && reward == 0));
    return new Counted(
        decision.sampleType(),
        age < 2 ? age : -1,
        arm(spec, decision),
        person.get(1).intValue(),
        level,
        reward);
  }
}
