package io.equipoise.segment.log;

import io.equipoise.event.AbortReason;
import io.equipoise.event.Account;
import io.equipoise.event.ArmAudit;
import io.equipoise.event.EliminationAudit;
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
import io.equipoise.policy.bestarm.ExperimentBlock;
import io.equipoise.policy.bestarm.PhaseRecord;
import io.equipoise.policy.bestarm.TerminalRecord;
import io.equipoise.policy.bestarm.TerminalRecord.BestFairArm;
import io.equipoise.policy.bestarm.TerminalRecord.NoFairArm;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.Ledgers;
import io.equipoise.segment.state.SegmentContext;
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
public final class ExperimentRecords {
  private final SegmentEvent change;
  private final CompiledSpec compiled;
  private final Ledgers ledgers;
  private final List<String> arms;

  /**
   * An experiment that ended without an answer.
   *
   * @param spec its spec, null where the book has lost the text
   * @param specHash the hash of its spec
   */
  public record Abort(
      @Nullable CompiledSpec spec,
      String specHash,
      AbortReason reason,
      long pulls,
      double costSpent) {

    public static Abort of(
        SegmentContext segmentContext, ExperimentBlock running, AbortReason reason) {
      return new Abort(
          segmentContext.spec,
          Objects.requireNonNull(segmentContext.head.specHash),
          reason,
          running.pulls(),
          running.costSpent());
    }
  }

  /** Makes records that explain a logged change of a segment with this spec and these ledgers. */
  ExperimentRecords(SegmentEvent change, CompiledSpec compiled, Ledgers ledgers) {
    this.change = change;
    this.compiled = compiled;
    this.ledgers = ledgers;
    arms = compiled.armIds();
  }

  ExperimentRecord of(PhaseRecord phase) {
    return record(change, compiled, compiled.spec().hash(), audit(phase), null);
  }

  ExperimentRecord of(TerminalRecord end) {
    return record(change, compiled, compiled.spec().hash(), null, audit(end));
  }

  /** Makes the record of an experiment that a logged change ended without an answer. */
  static ExperimentRecord of(SegmentEvent change, Abort abort) {
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
    return record(change, compiled, abort.specHash(), null, end);
  }

  private static ExperimentRecord record(
      SegmentEvent change,
      @Nullable CompiledSpec compiled,
      String specHash,
      @Nullable PhaseAudit phase,
      @Nullable TerminalAudit terminal) {
    return new ExperimentRecord(
        change.segment(),
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
        compiled.armIds().get(Objects.requireNonNull(spec.policy().experiment()).control()),
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
            ledgers.get(Account.REWARD_LATE),
            ledgers.get(Account.REWARD_DUPLICATE)),
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
        elimination.reason(),
        elimination.value(),
        elimination.bound());
  }

  private ArmAudit audit(ArmFinding arm) {
    return new ArmAudit(
        arms.get(arm.arm()),
        RecordFields.known(arm.reward()),
        RecordFields.known(arm.forward()),
        RecordFields.known(arm.backward()),
        RecordFields.known(arm.selfCheck()),
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
          RecordFields.known(found.margin()),
          found.delta(),
          found.guarantee(),
          idOrNull(found.runnerUp()),
          RecordFields.known(found.runnerUpReward()),
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
        none.guarantee(),
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
