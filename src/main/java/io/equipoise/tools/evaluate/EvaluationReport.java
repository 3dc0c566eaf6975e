package io.equipoise.tools.evaluate;

import io.equipoise.cli.TextTable;
import io.equipoise.event.Counted;
import io.equipoise.tools.evaluate.Evaluation.GroupEstimate;
import io.equipoise.tools.evaluate.OffPolicy.Estimate;
import io.equipoise.tools.evaluate.OffPolicy.ValueInterval;
import io.equipoise.tools.evaluate.TargetReplay.Counts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints an evaluation as text and JSON.
 *
 * @param notes about rows that are left out
 */
record EvaluationReport(Evaluation evaluation, double confidence, List<String> notes) {
  EvaluationReport {
    notes = List.copyOf(notes);
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s (%s): %s, %d with a reward, %d learned; intervals of %s %%",
            evaluation.spec().name(),
            evaluation.spec().policy().name().wire(),
            Counted.of(evaluation.logged(), "logged decisions"),
            evaluation.answered(),
            evaluation.counts().learned,
            trimmed(100 * confidence)));
    lines.add("");
    String refusal = evaluation.snips().refusal();
    if (evaluation.snips().value() == null) {
      lines.add("REFUSED " + refusal);
    } else {
      lines.addAll(table().lines());
      lines.add("");
      lines.add(
          String.format(
              Locale.ROOT,
              "decisions of %s by its own audit: %.1f %% certified, %.1f %% unfair, %.1f %%"
                  + " fallback",
              evaluation.spec().name(),
              100 * evaluation.certifiedShare(),
              100 * evaluation.unfairShare(),
              100 * evaluation.fallbackShare()));
    }
    notes().forEach(note -> lines.add("NOTE " + note));
    warning().forEach(note -> lines.add("NOTE " + note));
    return lines;
  }

  private List<String> warning() {
    Estimate snips = evaluation.snips();
    return snips.value() != null && OffPolicy.isFar(snips.meanWeight())
        ? List.of(
            String.format(
                Locale.ROOT,
                "the mean weight is %.3g, far from 1: the logged propensities may be wrong, or the"
                    + " rows too few",
                snips.meanWeight()))
        : List.of();
  }

  private TextTable table() {
    TextTable table =
        new TextTable(
            "mean reward", "rows", "effective", "SNIPS", "doubly robust", "minus first group");
    Estimate log = evaluation.log();
    table.row("the log's policy", count(log), effective(log), shown(log), "", "");
    table.row(
        evaluation.spec().name(),
        count(evaluation.snips()),
        effective(evaluation.snips()),
        shown(evaluation.snips()),
        shown(evaluation.doublyRobust()),
        "");
    for (GroupEstimate group : evaluation.groups()) {
      table.row(
          "  " + group.attribute() + "=" + group.level(),
          count(group.snips()),
          effective(group.snips()),
          shown(group.snips()),
          shown(group.doublyRobust()),
          shown(group.gap()));
    }
    return table;
  }

  private static String count(Estimate estimate) {
    return String.valueOf(estimate.rows());
  }

  private static String effective(Estimate estimate) {
    return String.format(Locale.ROOT, "%.0f", estimate.effective());
  }

  private static String shown(Estimate estimate) {
    return estimate.value() == null
        ? "refused"
        : estimate.low() == null
            ? String.format(Locale.ROOT, "%.4f (no interval)", estimate.value())
            : String.format(
                Locale.ROOT,
                "%.4f [%.4f, %.4f]",
                estimate.value(),
                estimate.low(),
                estimate.high());
  }

  private static String shown(@Nullable ValueInterval gap) {
    return gap == null
        ? ""
        : String.format(Locale.ROOT, "%.4f [%.4f, %.4f]", gap.value(), gap.low(), gap.high());
  }

  private static String trimmed(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.valueOf(value);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", evaluation.spec().name());
    json.put("policy", evaluation.spec().policy().name().wire());
    json.put("hash", evaluation.spec().hash());
    json.put("confidence", confidence);
    json.put("loggedDecisions", evaluation.logged());
    json.put("answeredDecisions", evaluation.answered());
    json.put("invalidDecisions", Counts.sum(evaluation.counts().invalid));
    json.put("refusedRewards", evaluation.counts().outOfRange);
    json.put("unlearnableRewards", Counts.sum(evaluation.counts().unlearnable));
    json.put("unknownArms", evaluation.counts().unknownArms);
    json.put("learnedRewards", evaluation.counts().learned);
    json.put("log", evaluation.log());
    json.put("snips", evaluation.snips());
    json.put("doublyRobust", evaluation.doublyRobust());
    json.put("groups", evaluation.groups());
    json.put("certifiedShare", unlessRefused(evaluation.certifiedShare()));
    json.put("unfairShare", unlessRefused(evaluation.unfairShare()));
    json.put("fallbackShare", unlessRefused(evaluation.fallbackShare()));
    List<String> all = new ArrayList<>(notes);
    all.addAll(warning());
    json.put("notes", all);
    return json;
  }

  private @Nullable Double unlessRefused(double share) {
    return evaluation.snips().value() == null ? null : (Double) share;
  }
}
