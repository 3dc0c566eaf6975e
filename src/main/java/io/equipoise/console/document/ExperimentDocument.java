package io.equipoise.console.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.console.state.ChangeLog;
import io.equipoise.console.state.ChangeLog.Step;
import io.equipoise.event.ArmAudit;
import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.TerminalAudit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The latest best-arm experiment of a segment. */
final class ExperimentDocument {
  private static final int MOST_ARMS = 100;

  /** The band of a reward reaches two fifths of its width down and three fifths up. */
  private static final double BELOW = 0.4;

  private static final double ABOVE = 0.6;

  private ExperimentDocument() {}

  /** Returns null if the segment had no experiment. */
  static @Nullable ObjectNode of(ChangeLog log) {
    List<Step> steps = log.steps();
    if (steps.isEmpty()) {
      return null;
    }
    List<ObjectNode> phases = new ArrayList<>();
    ExperimentDesign design = null;
    PhaseAudit latest = null;
    ObjectNode terminal = null;
    String text = "";
    for (Step step : steps) {
      design = step.step().design() == null ? design : step.step().design();
      PhaseAudit phase = step.step().phase();
      TerminalAudit end = step.step().terminal();
      if (phase != null) {
        latest = phase;
        phases.add(phase(phase, step.time()));
      }
      if (end != null) {
        terminal = terminal(end, step.time());
        text = Wording.terminal(end);
      }
    }
    if (terminal == null && latest != null) {
      text =
          "Phase %d of %s is closed; %d arms are left."
              .formatted(
                  latest.place() + 1,
                  design == null ? "?" : String.valueOf(design.phases()),
                  latest.after().size());
    }
    return Json.object(
        "state",
        terminal == null ? "RUNNING" : "ENDED",
        "stateText",
        text,
        "design",
        design == null ? null : design(design),
        "phases",
        phases,
        "phasesLeftOut",
        log.stepsLeftOut(),
        "terminal",
        terminal);
  }

  private static ObjectNode design(ExperimentDesign design) {
    return Json.object(
        "attribute",
        design.attribute(),
        "groups",
        design.groups(),
        "threshold",
        design.threshold(),
        "control",
        design.control(),
        "specArms",
        design.specArms().stream().limit(MOST_ARMS).toList(),
        "samples",
        design.samples(),
        "phases",
        design.phases(),
        "budget",
        design.budget(),
        "mode",
        design.mode(),
        "estimate",
        design.estimate());
  }

  private static ObjectNode phase(PhaseAudit phase, long time) {
    return Json.object(
        "place",
        phase.place(),
        "stage",
        phase.stage(),
        "number",
        phase.number(),
        "time",
        time,
        "samples",
        phase.samples(),
        "costSpent",
        phase.costSpent(),
        "epsilon",
        phase.epsilon(),
        "effectBand",
        phase.effectBand(),
        "rewardBand",
        phase.rewardBand(),
        "leader",
        phase.leader(),
        "gateClosed",
        phase.gateClosed(),
        "arms",
        phase.arms().stream().limit(MOST_ARMS).map(arm -> arm(arm, phase)).toList(),
        "eliminated",
        phase.eliminated().stream()
            .limit(MOST_ARMS)
            .map(
                it ->
                    Json.object(
                        "arm",
                        it.arm(),
                        "reason",
                        it.reason(),
                        "value",
                        it.value(),
                        "bound",
                        it.bound(),
                        "text",
                        Wording.eliminated(it)))
            .toList());
  }

  private static ObjectNode arm(ArmAudit arm, PhaseAudit phase) {
    Double reward = arm.reward();
    return Json.object(
        "arm",
        arm.arm(),
        "reward",
        reward,
        "rewardLower",
        reward == null ? null : (Double) (reward - BELOW * phase.rewardBand()),
        "rewardUpper",
        reward == null ? null : (Double) (reward + ABOVE * phase.rewardBand()),
        "effect",
        arm.forward(),
        "effectLower",
        arm.effectLower(),
        "effectUpper",
        arm.effectUpper(),
        "isFair",
        phase.fair().contains(arm.arm()),
        "isLeft",
        phase.after().contains(arm.arm()));
  }

  private static ObjectNode terminal(TerminalAudit end, long time) {
    return Json.object(
        "kind",
        end.kind(),
        "kindText",
        Wording.terminal(end),
        "arm",
        end.arm(),
        "by",
        end.by(),
        "margin",
        end.margin(),
        "delta",
        end.delta(),
        "guarantee",
        end.guarantee(),
        "runnerUp",
        end.runnerUp(),
        "runnerUpReward",
        end.runnerUpReward(),
        "proved",
        end.proved(),
        "abortReason",
        end.abortReason(),
        "samples",
        end.samples(),
        "costSpent",
        end.costSpent(),
        "time",
        time);
  }
}
