package io.equipoise.console.document;

import io.equipoise.console.state.ChangeLog;
import io.equipoise.console.state.ChangeLog.Step;
import io.equipoise.event.ArmAudit;
import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.TerminalAudit;
import io.equipoise.http.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes the latest best-arm experiment of a segment. */
final class ExperimentDocument {
  private static final int MOST_ARMS = 100;

  /** The band of a reward reaches two fifths of its width down and three fifths up. */
  private static final double BELOW = 0.4;

  private static final double ABOVE = 0.6;

  private ExperimentDocument() {}

  /** Returns null if the segment had no experiment. */
  static @Nullable Json of(ChangeLog log) {
    List<Step> steps = log.steps();
    if (steps.isEmpty()) {
      return null;
    }
    List<Json> phases = new ArrayList<>();
    ExperimentDesign design = null;
    PhaseAudit latest = null;
    Json terminal = null;
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
    return Json.of()
        .with("state", terminal == null ? "RUNNING" : "ENDED")
        .with("stateText", text)
        .with("design", design == null ? null : Json.of(design).without("specArms"))
        .with("phases", phases)
        .with("phasesLeftOut", log.stepsLeftOut())
        .with("terminal", terminal);
  }

  private static Json phase(PhaseAudit phase, long time) {
    List<Json> arms = phase.arms().stream().limit(MOST_ARMS).map(arm -> arm(arm, phase)).toList();
    List<Json> eliminated =
        phase.eliminated().stream()
            .limit(MOST_ARMS)
            .map(it -> Json.of(it).with("text", Wording.eliminated(it)))
            .toList();
    return Json.of(phase)
        .without("allocation", "counts", "fair", "after", "statsHash")
        .with("time", time)
        .with("arms", arms)
        .with("eliminated", eliminated);
  }

  private static Json arm(ArmAudit arm, PhaseAudit phase) {
    Double reward = arm.reward();
    return Json.of(arm)
        .with("rewardLower", reward == null ? null : (Double) (reward - BELOW * phase.rewardBand()))
        .with("rewardUpper", reward == null ? null : (Double) (reward + ABOVE * phase.rewardBand()))
        .with("isFair", phase.fair().contains(arm.arm()))
        .with("isLeft", phase.after().contains(arm.arm()));
  }

  private static Json terminal(TerminalAudit end, long time) {
    return Json.of(end).without("arms").with("kindText", Wording.terminal(end)).with("time", time);
  }
}
