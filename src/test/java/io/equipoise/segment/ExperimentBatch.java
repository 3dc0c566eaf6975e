package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ArmAudit;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.EliminationAudit;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import io.equipoise.policy.bestarm.BatchSearch;
import io.equipoise.policy.bestarm.Conclusion;
import io.equipoise.policy.bestarm.CsrPolicy;
import io.equipoise.policy.bestarm.Design;
import io.equipoise.policy.bestarm.SearchVerdict;
import io.equipoise.segment.state.CompiledSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Holds the log of an experiment of {@link OfferTraffic} against the batch algorithm. */
public final class ExperimentBatch {
  private ExperimentBatch() {}

  private record Counted(int type, int group, int arm, int cell, int level, double reward) {}

  /** What the log says of one phase. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Phase(int[][] pulls, List<Counted> samples) {}

  /**
   * Asserts that the log of a finished experiment is what the batch search makes of its samples.
   */
  public static void assertAgrees(CompiledSpec spec, RecordedLog log) {
    Design design = ((CsrPolicy) spec.policy()).design();
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
        log.experiments.stream().map(ExperimentRecord::phase).flatMap(Stream::ofNullable).toList();
    assertEquals(batch.verdicts().size(), audits.size());
    for (int place = 0; place < audits.size(); place++) {
      assertVerdict(spec, batch.verdicts().get(place), audits.get(place));
    }
    TerminalAudit end =
        log.experiments.stream()
            .map(ExperimentRecord::terminal)
            .flatMap(Stream::ofNullable)
            .toList()
            .get(0);
    assertEquals(batch.pulls(), end.samples());
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

  private static void assertVerdict(CompiledSpec spec, SearchVerdict batch, PhaseAudit audit) {
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

  /**
   * Takes from the log what each phase pulled, and what was counted while it was open: what its
   * estimates rest on, besides what those before it do.
   */
  private static List<Phase> phases(Design design, CompiledSpec spec, RecordedLog log) {
    List<Phase> phases = new ArrayList<>();
    design.plan().forEach(phase -> phases.add(new Phase(pulls(design, spec), new ArrayList<>())));
    Map<Long, Decision> pulled = new HashMap<>();
    int open = 0;
    for (Record record : log.all) {
      if (record instanceof Decision decision && decision.reason() == DecisionReason.SAMPLE) {
        pulled.put(decision.seq(), decision);
        phases.get(decision.sample().phase())
            .pulls()[decision.sample().type()][arm(spec, decision)]++;
      } else if (record instanceof SegmentEvent segmentEvent
          && segmentEvent.learnedReward() != null) {
        Decision decision = Objects.requireNonNull(pulled.get(segmentEvent.decisionSeq()));
        if (open < phases.size()) {
          phases.get(open).samples().add(counted(spec, decision, segmentEvent));
        }
      } else if (record instanceof SegmentEvent segmentEvent) {
        open += segmentEvent.type() == SegmentEventType.PHASE_CLOSED ? 1 : 0;
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
  private static Counted counted(CompiledSpec spec, Decision decision, SegmentEvent segmentEvent) {
    List<Double> person = Objects.requireNonNull(decision.features());
    int age = person.get(0).intValue();
    String offer = segmentEvent.mediators().get("offer");
    int level = offer == null ? 0 : List.of("none", "small", "big").indexOf(offer);
    double reward = Objects.requireNonNull(segmentEvent.learnedReward());
    assertTrue(offer != null || reward == 0);
    return new Counted(
        decision.sample().type(),
        age < 2 ? age : -1,
        arm(spec, decision),
        person.get(1).intValue(),
        level,
        reward);
  }
}
