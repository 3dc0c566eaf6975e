package io.equipoise.segment;

import io.equipoise.event.AbortReason;
import io.equipoise.event.Account;
import io.equipoise.event.ArmAudit;
import io.equipoise.event.EliminationAudit;
import io.equipoise.event.EliminationReason;
import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.PhaseCounts;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.ShareAudit;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import io.equipoise.policy.bestarm.ArmFinding;
import io.equipoise.policy.bestarm.CsrPolicy;
import io.equipoise.policy.bestarm.Elimination;
import io.equipoise.policy.bestarm.ExperimentSpec;
import io.equipoise.policy.bestarm.PhaseRecord;
import io.equipoise.policy.bestarm.TerminalRecord;
import io.equipoise.policy.bestarm.TerminalRecord.BestFairArm;
import io.equipoise.policy.bestarm.TerminalRecord.NoFairArm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Makes the records of the experiments topic from the phases of a search. Names arms by id. */
final class ExperimentRecords {
  private static final SameName<Elimination.Reason, EliminationReason> REASONS =
      new SameName<>(Elimination.Reason.class, EliminationReason.class);

  private final SegmentContext segmentContext;
  private final SegmentEvent change;
  private final CompiledSpec compiled;
  private final List<String> arms;

  /**
   * An experiment that ended without an answer.
   *
   * @param spec its spec, null where the book has lost the text
   * @param specHash the hash of its spec
   */
  record Abort(
      @Nullable CompiledSpec spec,
      String specHash,
      AbortReason reason,
      long pulls,
      double costSpent) {}

  /** Makes records that explain a logged change. */
  ExperimentRecords(SegmentContext segmentContext, SegmentEvent change) {
    this.segmentContext = segmentContext;
    this.change = change;
    compiled = segmentContext.requireSpec();
    arms = compiled.armIds();
  }

  ExperimentRecord of(PhaseRecord phase) {
    return record(segmentContext, change, compiled, compiled.spec().hash(), audit(phase), null);
  }

  ExperimentRecord of(TerminalRecord end) {
    return record(segmentContext, change, compiled, compiled.spec().hash(), null, audit(end));
  }

  /** Makes the record of an experiment that a logged change ended without an answer. */
  static ExperimentRecord of(SegmentContext segmentContext, SegmentEvent change, Abort abort) {
    CompiledSpec compiled = abort.spec();
    ExperimentDesign design = compiled == null ? null : design(compiled);
    TerminalAudit end =
        new TerminalAudit(
            TerminalKind.ABORTED,
            design == null ? null : design.control(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            abort.reason(),
            abort.pulls(),
            abort.costSpent(),
            List.of());
    return record(segmentContext, change, compiled, abort.specHash(), null, end);
  }

  private static ExperimentRecord record(
      SegmentContext segmentContext,
      SegmentEvent change,
      @Nullable CompiledSpec compiled,
      String specHash,
      @Nullable PhaseAudit phase,
      @Nullable TerminalAudit terminal) {
    return new ExperimentRecord(
        segmentContext.segment,
        change.writerEpoch(),
        change.seq(),
        change.eventTime(),
        compiled == null ? "" : compiled.spec().policy().name().wire(),
        specHash,
        compiled == null ? null : (Long) compiled.spec().version(),
        compiled == null ? null : design(compiled),
        phase,
        terminal,
        null);
  }

  private static @Nullable ExperimentDesign design(CompiledSpec compiled) {
    CsrPolicy bandit = compiled.experiment();
    SegmentSpec spec = compiled.spec();
    if (bandit == null) {
      return null;
    }
    SpecVariable sensitive = spec.variables().features().get(spec.variables().sensitive().get(0));
    return new ExperimentDesign(
        sensitive.name(),
        sensitive.levels().subList(0, 2),
        bandit.design().settings().bound(),
        bandit.design().settings().mode().wire(),
        bandit.design().settings().fairness().wire(),
        compiled.armIds(),
        compiled.armIds().get(ExperimentSpec.of(spec).control()),
        bandit.design().settings().samples(),
        bandit.design().plan().size(),
        bandit.design().costs().budget());
  }

  private PhaseAudit audit(PhaseRecord phase) {
    return new PhaseAudit(
        phase.phase().place(),
        phase.phase().stage().name().toLowerCase(Locale.ROOT),
        phase.phase().l(),
        phase.phase().pulls(),
        phase.epsilon(),
        phase.phase().effectBand(),
        phase.phase().rewardBand(),
        phase.allocation().level(),
        shares(phase),
        new PhaseCounts(
            LongStream.of(phase.arrived()).boxed().toList(),
            phase.counters().missing(),
            phase.counters().late(),
            phase.counters().notSampled(),
            segmentContext.head.ledgers.get(Account.REWARD_LATE),
            segmentContext.head.ledgers.get(Account.REWARD_DUPLICATE)),
        phase.costSpent(),
        phase.arms().stream().map(this::audit).toList(),
        ids(phase.verdict().fair()),
        idOrNull(phase.verdict().leader()),
        phase.verdict().isGateClosed(),
        phase.verdict().eliminated().stream().map(this::audit).toList(),
        ids(phase.verdict().after()),
        phase.statsHash());
  }

  private List<ShareAudit> shares(PhaseRecord phase) {
    List<ShareAudit> shares = new ArrayList<>();
    double[][] nu = phase.allocation().shares();
    for (int type = 0; type < nu.length; type++) {
      for (int arm = 0; arm < nu[type].length; arm++) {
        int pulls = phase.counts()[type][arm];
        if (nu[type][arm] > 0 || pulls > 0) {
          shares.add(new ShareAudit(type, arms.get(arm), nu[type][arm], pulls));
        }
      }
    }
    return shares;
  }

  private EliminationAudit audit(Elimination elimination) {
    return new EliminationAudit(
        arms.get(elimination.arm()),
        REASONS.of(elimination.reason()),
        elimination.value(),
        elimination.bound());
  }

  private ArmAudit audit(ArmFinding arm) {
    return new ArmAudit(
        arms.get(arm.arm()),
        EventLogWriter.known(arm.reward()),
        EventLogWriter.known(arm.forward()),
        EventLogWriter.known(arm.backward()),
        EventLogWriter.known(arm.selfCheck()),
        arm.rewardMass(),
        arm.forwardMass(),
        arm.backwardMass(),
        arm.rewardClip(),
        arm.forwardClip(),
        arm.backwardClip(),
        arm.clipped(),
        arm.effectLower(),
        arm.effectUpper());
  }

  private TerminalAudit audit(TerminalRecord end) {
    if (end instanceof BestFairArm found) {
      return new TerminalAudit(
          TerminalKind.BEST_FAIR_ARM,
          arms.get(found.finding().arm()),
          found.by().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          found.phase().place(),
          EventLogWriter.known(found.margin()),
          found.delta(),
          AuditRecords.guarantee(found.guarantee()),
          idOrNull(found.runnerUp()),
          EventLogWriter.known(found.runnerUpReward()),
          null,
          null,
          found.pulls(),
          found.costSpent(),
          List.of(audit(found.finding())));
    }
    NoFairArm none = (NoFairArm) end;
    return new TerminalAudit(
        TerminalKind.NO_FAIR_ARM,
        Objects.requireNonNull(design(compiled)).control(),
        null,
        none.phase().place(),
        null,
        none.delta(),
        AuditRecords.guarantee(none.guarantee()),
        null,
        null,
        none.isProved(),
        null,
        none.pulls(),
        none.costSpent(),
        none.arms().stream().map(this::audit).toList());
  }

  private @Nullable String idOrNull(int arm) {
    return arm < 0 ? null : arms.get(arm);
  }

  private List<String> ids(BitSet chosen) {
    return chosen.stream().mapToObj(arms::get).toList();
  }
}
