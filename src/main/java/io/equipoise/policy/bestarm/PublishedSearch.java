package io.equipoise.policy.bestarm;

import io.equipoise.event.ArmAudit;
import io.equipoise.event.EliminationAudit;
import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.PhaseCounts;
import io.equipoise.event.ShareAudit;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import io.equipoise.policy.bestarm.TerminalRecord.BestFairArm;
import io.equipoise.policy.bestarm.TerminalRecord.NoFairArm;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Describes a search for the experiments topic: its design, its phases, its end. */
final class PublishedSearch {
  private final SegmentSpec spec;
  private final ExperimentSpec experiment;
  private final Design design;
  private final List<String> arms;

  PublishedSearch(SegmentSpec spec, Design design) {
    this.spec = spec;
    this.design = design;
    experiment = ExperimentSpec.of(spec);
    arms = spec.arms().list().stream().map(Arm::id).toList();
  }

  ExperimentDesign design() {
    SpecVariable sensitive = spec.variables().features().get(spec.variables().sensitive().get(0));
    return new ExperimentDesign(
        sensitive.name(),
        sensitive.levels().subList(0, 2),
        design.settings().bound(),
        design.settings().mode().wire(),
        design.settings().fairness().wire(),
        arms,
        arms.get(experiment.control()),
        design.settings().samples(),
        design.plan().size(),
        design.costs().budget());
  }

  PhaseAudit audit(PhaseRecord phase, long rewardsLate, long rewardsDuplicate) {
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
            rewardsLate,
            rewardsDuplicate),
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

  TerminalAudit audit(TerminalRecord end) {
    if (end instanceof BestFairArm found) {
      return new TerminalAudit(
          TerminalKind.BEST_FAIR_ARM,
          arms.get(found.finding().arm()),
          found.by().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          found.phase().place(),
          known(found.margin()),
          found.delta(),
          found.guarantee(),
          idOrNull(found.runnerUp()),
          known(found.runnerUpReward()),
          null,
          null,
          found.pulls(),
          found.costSpent(),
          List.of(audit(found.finding())));
    }
    NoFairArm none = (NoFairArm) end;
    return new TerminalAudit(
        TerminalKind.NO_FAIR_ARM,
        arms.get(experiment.control()),
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

  private static @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }
}
