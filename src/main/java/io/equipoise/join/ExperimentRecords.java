package io.equipoise.join;

import io.equipoise.bandit.csr.ArmFinding;
import io.equipoise.bandit.csr.CsrBandit;
import io.equipoise.bandit.csr.Elimination;
import io.equipoise.bandit.csr.PhaseRecord;
import io.equipoise.bandit.csr.TerminalRecord;
import io.equipoise.bandit.csr.TerminalRecord.BestFairArm;
import io.equipoise.bandit.csr.TerminalRecord.NoFairArm;
import io.equipoise.event.ArmAudit;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditKind;
import io.equipoise.event.EliminationAudit;
import io.equipoise.event.EliminationReason;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.ShareAudit;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import io.equipoise.fairness.Guarantee;
import io.equipoise.join.Ledgers.Account;
import io.equipoise.spec.ExperimentSpec;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns what an experiment found into the records of the audit topic, arms by their ids. */
final class ExperimentRecords {
  private final Turn turn;
  private final Outcome change;
  private final CompiledSpec compiled;
  private final ExperimentSpec experiment;

  /**
   * An experiment that ended without an answer.
   *
   * @param spec its spec, null where the book has lost the text
   * @param specHash the hash of its spec
   */
  record Abort(
      @Nullable CompiledSpec spec,
      @Nullable String specHash,
      String reason,
      long pulls,
      double costSpent) {}

  /** Makes records of what a logged change, which it is audited with, brought. */
  ExperimentRecords(Turn turn, Outcome change) {
    this.turn = turn;
    this.change = change;
    compiled = turn.requireSpec();
    experiment = Objects.requireNonNull(compiled.spec().policy().experiment());
  }

  FairnessAudit of(PhaseRecord phase) {
    String leader = phase.verdict().leader() < 0 ? null : id(phase.verdict().leader());
    return audit(AuditKind.PHASE, leader, null, phase(phase), null);
  }

  FairnessAudit of(TerminalRecord end) {
    TerminalAudit terminal = terminal(end);
    Guarantee guarantee =
        end instanceof BestFairArm found ? found.guarantee() : ((NoFairArm) end).guarantee();
    return audit(
        AuditKind.TERMINAL,
        terminal.arm(),
        AuditGuarantee.valueOf(guarantee.name()),
        null,
        terminal);
  }

  private FairnessAudit audit(
      AuditKind kind,
      @Nullable String arm,
      @Nullable AuditGuarantee guarantee,
      @Nullable PhaseAudit phase,
      @Nullable TerminalAudit terminal) {
    boolean isCertified = terminal != null && terminal.margin() != null;
    SegmentSpec spec = compiled.spec();
    return record(
        kind,
        turn.segment,
        change,
        arm,
        sensitive().name(),
        spec.fairness().tau(),
        guarantee,
        isCertified,
        spec.policy().name().wire(),
        spec.hash(),
        spec.number(),
        phase,
        terminal);
  }

  /** Makes the record of an experiment that a logged change ended without an answer. */
  static FairnessAudit of(Turn turn, Outcome change, Abort abort) {
    CompiledSpec compiled = abort.spec();
    SegmentSpec spec = compiled == null ? null : compiled.spec();
    ExperimentSpec experiment = spec == null ? null : spec.policy().experiment();
    String arm =
        spec == null || experiment == null ? null : spec.arms().get(experiment.incumbent()).id();
    return record(
        AuditKind.TERMINAL,
        turn.segment,
        change,
        arm,
        null,
        spec == null ? null : (Double) spec.fairness().tau(),
        null,
        false,
        spec == null ? "" : spec.policy().name().wire(),
        abort.specHash(),
        spec == null ? null : (Long) spec.number(),
        null,
        new TerminalAudit(
            TerminalKind.ABORTED,
            arm,
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
            List.of()));
  }

  private static FairnessAudit record(
      AuditKind kind,
      String segment,
      Outcome change,
      @Nullable String arm,
      @Nullable String attribute,
      @Nullable Double tau,
      @Nullable AuditGuarantee guarantee,
      boolean isCertified,
      String policy,
      @Nullable String specHash,
      @Nullable Long specNumber,
      @Nullable PhaseAudit phase,
      @Nullable TerminalAudit terminal) {
    return new FairnessAudit(
        kind,
        null,
        segment,
        Journal.SHARD,
        change.attempt(),
        change.seq(),
        arm,
        attribute,
        null,
        null,
        null,
        false,
        null,
        null,
        null,
        tau,
        null,
        guarantee,
        null,
        isCertified,
        null,
        null,
        null,
        policy,
        specHash,
        specNumber,
        change.eventTime(),
        null,
        null,
        Map.of(),
        null,
        null,
        phase,
        terminal,
        false,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private SpecVariable sensitive() {
    SegmentSpec spec = compiled.spec();
    return spec.variables().features().get(spec.variables().sensitive().get(0));
  }

  private PhaseAudit phase(PhaseRecord phase) {
    CsrBandit bandit = Objects.requireNonNull(compiled.experiment());
    return new PhaseAudit(
        phase.phase().place(),
        phase.phase().stage().name().toLowerCase(Locale.ROOT),
        phase.phase().l(),
        phase.phases(),
        phase.mode().wire(),
        phase.fairness().wire(),
        sensitive().levels().subList(0, 2),
        compiled.armIds(),
        id(experiment.incumbent()),
        phase.samples(),
        phase.phase().pulls(),
        phase.bound(),
        phase.epsilon(),
        phase.phase().effectBand(),
        phase.phase().rewardBand(),
        phase.allocation().level(),
        shares(phase),
        arrived(phase),
        phase.counters().missing(),
        phase.counters().late(),
        phase.counters().holds(),
        turn.head.ledgers.get(Account.REWARD_LATE),
        turn.head.ledgers.get(Account.REWARD_DUPLICATE),
        phase.costSpent(),
        bandit.design().costs().budget(),
        phase.arms().stream().map(this::arm).toList(),
        ids(phase.verdict().fair()),
        phase.verdict().leader() < 0 ? null : id(phase.verdict().leader()),
        phase.verdict().isGateClosed(),
        phase.verdict().eliminated().stream().map(this::elimination).toList(),
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
          shares.add(new ShareAudit(type, id(arm), nu[type][arm], pulls));
        }
      }
    }
    return shares;
  }

  private static List<Long> arrived(PhaseRecord phase) {
    List<Long> arrived = new ArrayList<>();
    for (long ofType : phase.arrived()) {
      arrived.add(ofType);
    }
    return arrived;
  }

  private EliminationAudit elimination(Elimination elimination) {
    return new EliminationAudit(
        id(elimination.arm()),
        EliminationReason.valueOf(elimination.reason().name()),
        elimination.value(),
        elimination.bound());
  }

  private ArmAudit arm(ArmFinding arm) {
    return new ArmAudit(
        id(arm.arm()),
        known(arm.reward()),
        known(arm.forward()),
        known(arm.backward()),
        known(arm.selfCheck()),
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

  private TerminalAudit terminal(TerminalRecord end) {
    if (end instanceof BestFairArm found) {
      return new TerminalAudit(
          TerminalKind.BEST_FAIR_ARM,
          id(found.finding().arm()),
          found.by().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          found.phase().place(),
          known(found.margin()),
          found.delta(),
          found.runnerUp() < 0 ? null : id(found.runnerUp()),
          known(found.runnerUpReward()),
          null,
          null,
          found.pulls(),
          found.costSpent(),
          List.of(arm(found.finding())));
    }
    NoFairArm none = (NoFairArm) end;
    return new TerminalAudit(
        TerminalKind.NO_FAIR_ARM,
        id(experiment.incumbent()),
        null,
        none.phase().place(),
        null,
        none.delta(),
        null,
        null,
        none.isProved(),
        null,
        none.pulls(),
        none.costSpent(),
        none.arms().stream().map(this::arm).toList());
  }

  private static @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }

  private String id(int arm) {
    return compiled.armIds().get(arm);
  }

  private List<String> ids(BitSet arms) {
    return arms.stream().mapToObj(this::id).toList();
  }
}
