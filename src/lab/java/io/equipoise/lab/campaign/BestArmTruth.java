package io.equipoise.lab.campaign;

import io.equipoise.event.ArmAudit;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Compares the true effects of the arms of a best-arm experiment with its intervals and its end.
 */
final class BestArmTruth {
  private final StructuralModel world;
  private final double tau;
  private final ExactEffect effects;

  BestArmTruth(StructuralModel world, double tau) {
    this.world = world;
    this.tau = tau;
    effects = new ExactEffect(world, false);
  }

  /**
   * Returns the effect of an arm on average over people. Both couplings agree, because no
   * consequence of the attribute is given.
   */
  double effect(int arm) {
    int[] nothing = new int[world.nodes().size()];
    Arrays.fill(nothing, ExactEffect.UNDISCLOSED);
    int[] attribute = {world.of(Role.SENSITIVE).get(0).place()};
    return effects.of(nothing, attribute, new int[] {0}, new int[] {1}, arm)[0];
  }

  private boolean isUnfair(int arm) {
    return Math.abs(effect(arm)) > tau + RunResult.TOLERANCE;
  }

  /** Compares the intervals of the arms' effects with which a phase closed. */
  void comparePhase(ExperimentRecord record, RunResult score) {
    PhaseAudit phase = record.phase();
    ExperimentDesign design = record.design();
    if (phase == null || design == null) {
      throw new IllegalStateException("a phase without findings: " + record);
    }
    boolean isFromFirst = design.groups().get(0).endsWith("0");
    for (ArmAudit arm : phase.arms()) {
      double effect = effect(WorldPlay.arm(arm.arm())) * (isFromFirst ? -1 : 1);
      score.interval(
          effect,
          effect,
          arm.effectLower(),
          arm.effectUpper(),
          () ->
              String.format(
                  Locale.ROOT,
                  "phase %d, %s: true effect %.4f, interval [%.4f, %.4f]",
                  phase.number(),
                  arm.arm(),
                  effect,
                  arm.effectLower(),
                  arm.effectUpper()));
    }
  }

  void compareEnd(ExperimentRecord end, RunResult score) {
    TerminalAudit terminal = end.terminal();
    if (terminal == null) {
      throw new IllegalStateException("an end without an answer: " + end);
    }
    AuditGuarantee known = terminal.guarantee();
    String guarantee = known == null ? "NONE" : known.name();
    int arms = CampaignTrial.arms(world);
    Supplier<String> what =
        () ->
            String.format(
                Locale.ROOT,
                "%s %s, true effects %s, tau %s",
                terminal.kind(),
                terminal.arm(),
                Arrays.toString(IntStream.range(0, arms).mapToDouble(this::effect).toArray()),
                tau);
    if (terminal.kind() == TerminalKind.BEST_FAIR_ARM && known == AuditGuarantee.ANYTIME) {
      score.certified(guarantee, isUnfair(WorldPlay.arm(String.valueOf(terminal.arm()))), what);
    } else if (Boolean.TRUE.equals(terminal.proved())) {
      boolean isAnyFair = !IntStream.range(0, arms).allMatch(this::isUnfair);
      score.unfair(guarantee, isAnyFair, what);
    } else {
      score.nothingCertified(guarantee);
    }
  }
}
