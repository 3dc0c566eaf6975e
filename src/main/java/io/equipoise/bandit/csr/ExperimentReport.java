package io.equipoise.bandit.csr;

import io.equipoise.bandit.csr.TerminalRecord.Aborted;
import io.equipoise.bandit.csr.TerminalRecord.BestFairArm;
import io.equipoise.bandit.csr.TerminalRecord.NoFairArm;
import io.equipoise.fairness.Guarantee;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An experiment's end as text for people: what was answered, what was tried in each phase, which
 * arms were dropped when and why, and the last intervals drawn on a scale.
 */
public final class ExperimentReport {
  private final IntFunction<String> armName;

  /** Prints arms by name; without names {@code "arm 3"} is one. */
  public ExperimentReport(IntFunction<String> armName) {
    this.armName = armName;
  }

  /**
   * Returns the lines of a report.
   *
   * @param phases in order, at least one unless the experiment was aborted
   * @param end null while the experiment runs
   */
  public List<String> lines(List<PhaseRecord> phases, @Nullable TerminalRecord end) {
    List<String> lines = new ArrayList<>();
    lines.add(end == null ? "The experiment is running." : answer(end, phases));
    if (phases.isEmpty()) {
      lines.add("No phase was closed.");
      return lines;
    }
    PhaseRecord first = phases.get(0);
    lines.add(
        text(
            "%s, pulls %s, fairness %s: T = %d, E = %s, %d phases planned, %d closed.",
            first.algorithm().wire(),
            first.mode().wire(),
            first.fairness().wire(),
            first.samples(),
            number(first.bound()),
            first.phases(),
            phases.size()));
    lines.add("");
    lines.add("What was tried");
    phases.forEach(phase -> lines.add("  " + tried(phase)));
    lines.add("");
    lines.add("What was dropped");
    lines.addAll(dropped(phases));
    lines.add("");
    lines.addAll(intervals(phases));
    return lines;
  }

  private String answer(TerminalRecord end, List<PhaseRecord> phases) {
    String key = end.key() + ", version " + end.version() + ": ";
    if (end instanceof BestFairArm found) {
      return key + found(found);
    }
    if (end instanceof NoFairArm none) {
      String why =
          none.isProved()
              ? text("every arm is unfair, at delta %s. Reject them.", share(none.delta()))
              : "this proves of no arm that it is unfair. A larger T may certify one.";
      return key + "no fair arm was found in " + none.pulls() + " pulls; " + why;
    }
    String after = phases.isEmpty() ? "" : " after phase " + place(phases.get(phases.size() - 1));
    return key + "aborted" + after + ": " + ((Aborted) end).reason();
  }

  private String found(BestFairArm found) {
    ArmFinding finding = found.finding();
    String by =
        switch (found.by()) {
          case LAST_STANDING -> "the last one left";
          case ARGMAX_OF_FAIR -> "the best paid of those within the band";
          case ARGMAX_OF_REMAINING -> "the best paid of those left";
        };
    String interval =
        text("effect in [%s, %s]", number(finding.effectLower()), number(finding.effectUpper()));
    String certificate =
        found.guarantee() == Guarantee.ANYTIME
            ? text(
                "certified fair at delta %s with %s to spare, %s",
                share(found.delta()), number(found.margin()), interval)
            : text("NOT certified fair, %s at delta %s", interval, share(found.delta()));
    String next =
        found.runnerUp() < 0
            ? ""
            : text(" Next: %s with %s.", name(found.runnerUp()), number(found.runnerUpReward()));
    return text(
        "%s is the arm found, %s, %s; reward %s, %d pulls, cost %s.%s",
        name(finding.arm()),
        by,
        certificate,
        number(finding.reward()),
        found.pulls(),
        number(found.costSpent()),
        next);
  }

  private String tried(PhaseRecord phase) {
    Map<Integer, Integer> pulls = new LinkedHashMap<>();
    for (int[] ofType : phase.counts()) {
      for (int arm = 0; arm < ofType.length; arm++) {
        if (ofType[arm] > 0) {
          pulls.merge(arm, ofType[arm], Integer::sum);
        }
      }
    }
    String arms =
        new TreeSet<>(pulls.keySet())
            .stream()
                .map(arm -> name(arm) + " x" + pulls.get(arm))
                .collect(Collectors.joining(", "));
    PhaseRecord.Counters counters = phase.counters();
    if (counters.missing() < 0) {
      return text(
          "phase %s: %d pulls, %d held; by arm they are not told, of a group there are too few",
          place(phase), phase.phase().pulls(), counters.holds());
    }
    String lost =
        counters.missing() + counters.late() + counters.dropped() == 0
            ? ""
            : text(
                " (%d without outcome, %d late, %d dropped)",
                counters.missing(), counters.late(), counters.dropped());
    return text(
        "phase %s: %d pulls, %d held%s; %s",
        place(phase), phase.phase().pulls(), counters.holds(), lost, arms);
  }

  private List<String> dropped(List<PhaseRecord> phases) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      PhaseRecord phase = phases.get(i);
      if (phase.verdict().eliminated().isEmpty()) {
        int last = lastQuiet(phases, i);
        lines.add(quiet(phase, phases.get(last)));
        i = last;
      }
      for (Elimination elimination : phase.verdict().eliminated()) {
        String name = name(elimination.arm());
        lines.add(text("  phase %s: %s, %s", place(phase), name, why(elimination)));
      }
    }
    return lines;
  }

  /** Returns the last of the phases from one on in which nothing was dropped for the same cause. */
  private static int lastQuiet(List<PhaseRecord> phases, int from) {
    Verdict first = phases.get(from).verdict();
    int last = from;
    while (last + 1 < phases.size()) {
      Verdict next = phases.get(last + 1).verdict();
      if (!next.eliminated().isEmpty()
          || next.isGateClosed() != first.isGateClosed()
          || next.phase().stage() != first.phase().stage()) {
        return last;
      }
      last++;
    }
    return last;
  }

  private static String quiet(PhaseRecord first, PhaseRecord last) {
    String from =
        first.phase().place() == last.phase().place()
            ? "phase "
            : "phases " + first.phase().l() + " to ";
    String why =
        first.verdict().isGateClosed()
            ? text(
                "nothing; no arm was within the band, which was %s at the end.",
                number(last.phase().effectBand()))
            : "nothing.";
    return text("  %s%s: %s", from, place(last), why);
  }

  private String why(Elimination elimination) {
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
          text("sub-optimal: its reward reaches %s, the leader's estimate is %s.", value, bound);
    };
  }

  /**
   * Draws the last phase: the intervals of effects, which certify, and the paper's bands, which
   * decide who stays, against E; then rewards.
   */
  private List<String> intervals(List<PhaseRecord> phases) {
    PhaseRecord last = phases.get(phases.size() - 1);
    double bound = last.bound();
    double band = last.phase().effectBand();
    double reward = last.phase().rewardBand() / 5;
    Scale effects = Scale.around(bound, band, last.arms());
    List<String> lines = new ArrayList<>();
    lines.add(
        text(
            "After phase %s: intervals of effects, and estimates with the paper's bands: effects +-"
                + " %s, fair between the bars; rewards -%s +%s",
            place(last), number(band), number(2 * reward), number(3 * reward)));
    int width = last.arms().stream().mapToInt(arm -> name(arm.arm()).length()).max().orElse(0);
    String gap = " ".repeat(width);
    lines.add(text("  %s  %-9s %s", gap, "effect", effects.axis()));
    for (ArmFinding arm : last.arms()) {
      String name = name(arm.arm()) + " ".repeat(width - name(arm.arm()).length());
      double radius = (arm.effectUpper() - arm.effectLower()) / 2;
      double centre = arm.effectLower() + radius;
      lines.add(line(name, "interval", centre, radius, radius, effects, bound));
      lines.add(line(gap, "S = s'", arm.forward(), band, band, effects, bound));
      lines.add(line(gap, "S = s", arm.backward(), band, band, effects, bound));
    }
    Scale rewards = Scale.ofRewards(2 * reward, 3 * reward, last.arms());
    lines.add(text("  %s  %-9s %s", gap, "reward", rewards.axis()));
    for (ArmFinding arm : last.arms()) {
      String name = name(arm.arm()) + " ".repeat(width - name(arm.arm()).length());
      lines.add(line(name, "", arm.reward(), 2 * reward, 3 * reward, rewards, Double.NaN));
    }
    return lines;
  }

  private static String line(
      String name,
      String from,
      double centre,
      double below,
      double above,
      Scale scale,
      double bound) {
    String drawn = scale.interval(centre - below, centre, centre + above, bound);
    return text("  %s  %-9s %s %s", name, from, drawn, number(centre)).stripTrailing();
  }

  private static String place(PhaseRecord phase) {
    String stage =
        phase.phase().stage() == Stage.JOINT
            ? ""
            : " (" + phase.phase().stage().name().toLowerCase(Locale.ROOT) + ")";
    return phase.phase().l() + stage;
  }

  private String name(int arm) {
    return armName.apply(arm);
  }

  private static String share(double value) {
    return Double.isNaN(value) ? "unknown" : Double.toString(value);
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "unknown" : String.format(Locale.ROOT, "%.4f", value);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
