package io.equipoise.audit.report;

import io.equipoise.event.AbortReason;
import io.equipoise.event.ArmAudit;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.EliminationAudit;
import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.PhaseCounts;
import io.equipoise.event.ShareAudit;
import io.equipoise.event.TerminalAudit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Renders an experiment as text: its result, the samples of each phase, the eliminated arms with
 * the reason, and the last intervals drawn on a scale.
 */
final class ExperimentReport {
  private final ExperimentRecord any;
  private final List<PhaseAudit> phases;
  private final @Nullable ExperimentRecord end;

  ExperimentReport(LoggedExperiment experiment) {
    any = experiment.any();
    phases = experiment.phases().stream().map(one -> Objects.requireNonNull(one.phase())).toList();
    end = experiment.end();
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Segment " + any.segment() + ", spec " + any.specVersion() + " (" + any.specHash() + ")");
    ExperimentDesign design = any.design();
    if (!phases.isEmpty() && design != null) {
      lines.add(
          text(
              "Groups s = %s and s' = %s of %s; contexts that are not sampled get %s; cost of at"
                  + " most %s per sample.",
              design.groups().get(0),
              design.groups().get(1),
              design.attribute(),
              design.control(),
              design.budget()));
    }
    lines.add(end == null ? "The experiment is running." : result(end));
    if (phases.isEmpty() || design == null) {
      lines.add("No phase was closed.");
      return lines;
    }
    lines.add(
        text(
            "%s, sampling %s, fairness %s: T = %d, E = %s, %d phases planned, %d closed.",
            any.policy(),
            design.mode(),
            design.estimate(),
            design.samples(),
            number(design.threshold()),
            design.phases(),
            phases.size()));
    lines.add("");
    lines.add("Samples");
    PhaseCounts before = null;
    for (PhaseAudit phase : phases) {
      lines.add("  " + samples(phase, before, design.specArms()));
      before = phase.counts();
    }
    lines.add("");
    lines.add("Eliminated arms");
    lines.addAll(eliminations());
    lines.add("");
    lines.addAll(intervals(design.threshold()));
    return lines;
  }

  private String result(ExperimentRecord record) {
    TerminalAudit terminal = Objects.requireNonNull(record.terminal());
    Long version = record.specVersion();
    String key = record.segment() + ", version " + (version == null ? 0 : version) + ": ";
    return key
        + switch (terminal.kind()) {
          case BEST_FAIR_ARM -> found(terminal);
          case NO_FAIR_ARM ->
              text(
                  "no fair arm was found in %d samples; %s",
                  terminal.samples(),
                  Boolean.TRUE.equals(terminal.proved())
                      ? "every arm is unfair, at delta "
                          + share(terminal.delta())
                          + ". Reject all arms."
                      : "this does not prove any arm unfair. A larger T may certify one.");
          case ABORTED -> {
            String after =
                phases.isEmpty() ? "" : " after phase " + place(phases.get(phases.size() - 1));
            yield "aborted" + after + ": " + why(Objects.requireNonNull(terminal.abortReason()));
          }
        };
  }

  private static String why(AbortReason reason) {
    return switch (reason) {
      case SPEC_RETIRED -> "its spec was retired";
      case SPEC_REPLACED -> "an incompatible spec replaced its own";
      case REQUESTED -> "a newer version of its spec requested it";
    };
  }

  private static String found(TerminalAudit found) {
    ArmAudit finding = found.arms().get(0);
    String by =
        switch (String.valueOf(found.by())) {
          case "last-standing" -> "the only arm left";
          case "argmax-of-fair" -> "the arm with the highest reward among those within the band";
          default -> "the arm with the highest reward among those left";
        };
    String interval =
        text("effect in [%s, %s]", number(finding.effectLower()), number(finding.effectUpper()));
    String certificate =
        found.guarantee() == AuditGuarantee.ANYTIME
            ? text(
                "certified fair at delta %s with margin %s, %s",
                share(found.delta()), number(found.margin()), interval)
            : text("NOT certified fair, %s at delta %s", interval, share(found.delta()));
    String next =
        found.runnerUp() == null
            ? ""
            : text(" Next: %s with %s.", found.runnerUp(), number(found.runnerUpReward()));
    return text(
        "%s is the best fair arm, %s, %s; reward %s, %d samples, cost %s.%s",
        finding.arm(),
        by,
        certificate,
        number(finding.reward()),
        found.samples(),
        number(found.costSpent()),
        next);
  }

  private static String samples(
      PhaseAudit phase, @Nullable PhaseCounts before, List<String> specArms) {
    Map<String, Integer> samples = new HashMap<>();
    for (ShareAudit share : phase.allocation()) {
      samples.merge(share.arm(), share.samples(), Integer::sum);
    }
    String arms =
        specArms.stream()
            .filter(arm -> samples.getOrDefault(arm, 0) > 0)
            .map(arm -> arm + " x" + samples.get(arm))
            .collect(Collectors.joining(", "));
    PhaseCounts counts = phase.counts();
    if (counts.missing() < 0) {
      return text(
          "phase %s: %d samples, %d not sampled; counts by arm are suppressed, because a group is"
              + " too small",
          place(phase), phase.samples(), counts.notSampled());
    }
    long dropped = counts.rewardsLate() - (before == null ? 0 : before.rewardsLate());
    String lost =
        counts.missing() + counts.late() + dropped == 0
            ? ""
            : text(
                " (%d without reward, %d late, %d dropped)",
                counts.missing(), counts.late(), dropped);
    return text(
        "phase %s: %d samples, %d not sampled%s; %s",
        place(phase), phase.samples(), counts.notSampled(), lost, arms);
  }

  private List<String> eliminations() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      PhaseAudit phase = phases.get(i);
      if (phase.eliminated().isEmpty()) {
        int last = lastWithoutElimination(i);
        lines.add(withoutElimination(phase, phases.get(last)));
        i = last;
      }
      for (EliminationAudit elimination : phase.eliminated()) {
        lines.add(text("  phase %s: %s, %s", place(phase), elimination.arm(), why(elimination)));
      }
    }
    return lines;
  }

  /** Returns the last phase from an index on without an elimination, for the same reason. */
  private int lastWithoutElimination(int from) {
    PhaseAudit first = phases.get(from);
    int last = from;
    while (last + 1 < phases.size()) {
      PhaseAudit next = phases.get(last + 1);
      if (!next.eliminated().isEmpty()
          || next.gateClosed() != first.gateClosed()
          || !next.stage().equals(first.stage())) {
        return last;
      }
      last++;
    }
    return last;
  }

  private static String withoutElimination(PhaseAudit first, PhaseAudit last) {
    String from = first.place() == last.place() ? "phase " : "phases " + first.number() + " to ";
    String why =
        first.gateClosed()
            ? text(
                "none; no arm was within the band, which was %s at the end.",
                number(last.effectBand()))
            : "none.";
    return text("  %s%s: %s", from, place(last), why);
  }

  private static String why(EliminationAudit elimination) {
    String value = number(elimination.value());
    String bound = number(elimination.bound());
    return switch (elimination.reason()) {
      case UNFAIR_SS1_HIGH ->
          text(
              "unfair: from samples with S = s' the effect is at least %s, above %s.",
              value, bound);
      case UNFAIR_SS1_LOW ->
          text(
              "unfair: from samples with S = s' the effect is at most %s, below %s.", value, bound);
      case UNFAIR_S1S_HIGH ->
          text(
              "unfair: from samples with S = s the effect is at least %s, above %s.", value, bound);
      case UNFAIR_S1S_LOW ->
          text("unfair: from samples with S = s the effect is at most %s, below %s.", value, bound);
      case SUBOPTIMAL ->
          text("suboptimal: its reward is at most %s, the leader's estimate is %s.", value, bound);
    };
  }

  /**
   * Draws the last phase against E: the certifying intervals of effects, the paper's bands, which
   * decide the eliminations, and the rewards.
   */
  private List<String> intervals(double bound) {
    PhaseAudit last = phases.get(phases.size() - 1);
    double band = last.effectBand();
    double reward = last.rewardBand() / 5;
    Scale effects = Scale.around(bound, band, last.arms());
    List<String> lines = new ArrayList<>();
    lines.add(
        text(
            "After phase %s: intervals of effects, and estimates with the paper's bands: effects +-"
                + " %s, fair between the bars; rewards -%s +%s",
            place(last), number(band), number(2 * reward), number(3 * reward)));
    int width = last.arms().stream().mapToInt(arm -> arm.arm().length()).max().orElse(0);
    String gap = " ".repeat(width);
    lines.add(text("  %s  %-9s %s", gap, "effect", effects.axis()));
    for (ArmAudit arm : last.arms()) {
      String name = arm.arm() + " ".repeat(width - arm.arm().length());
      double lower = orNaN(arm.effectLower());
      double radius = (orNaN(arm.effectUpper()) - lower) / 2;
      double center = lower + radius;
      lines.add(line(name, "interval", center, radius, radius, effects, bound));
      lines.add(line(gap, "S = s'", orNaN(arm.forward()), band, band, effects, bound));
      lines.add(line(gap, "S = s", orNaN(arm.backward()), band, band, effects, bound));
    }
    Scale rewards = Scale.ofRewards(2 * reward, 3 * reward, last.arms());
    lines.add(text("  %s  %-9s %s", gap, "reward", rewards.axis()));
    for (ArmAudit arm : last.arms()) {
      String name = arm.arm() + " ".repeat(width - arm.arm().length());
      lines.add(line(name, "", orNaN(arm.reward()), 2 * reward, 3 * reward, rewards, Double.NaN));
    }
    return lines;
  }

  private static String line(
      String name,
      String from,
      double center,
      double below,
      double above,
      Scale scale,
      double bound) {
    String drawn = scale.interval(center - below, center, center + above, bound);
    return text("  %s  %-9s %s %s", name, from, drawn, number(center)).stripTrailing();
  }

  private static String place(PhaseAudit phase) {
    return phase.number() + (phase.stage().equals("joint") ? "" : " (" + phase.stage() + ")");
  }

  private static double orNaN(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }

  private static String share(@Nullable Double value) {
    return value == null ? "unknown" : value.toString();
  }

  private static String number(@Nullable Double value) {
    return Double.isNaN(orNaN(value)) ? "unknown" : String.format(Locale.ROOT, "%.4f", value);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
