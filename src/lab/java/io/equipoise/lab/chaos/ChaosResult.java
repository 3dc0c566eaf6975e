package io.equipoise.lab.chaos;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.equipoise.cli.TextTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reports the result of a run.
 *
 * @param delivery the job's delivery guarantee, as the option names it
 * @param contexts that had to be decided once, over all deployments
 * @param rewards that had to be learned once
 * @param snapshots learning states that the replayed log had to reproduce
 */
record ChaosResult(
    @JsonProperty("delivery") String delivery,
    @JsonProperty("seed") long seed,
    @JsonProperty("perSecond") int perSecond,
    @JsonProperty("faults") List<Row> rows,
    @JsonProperty("contexts") long contexts,
    @JsonProperty("rewards") long rewards,
    @JsonProperty("snapshots") long snapshots,
    @JsonProperty("seconds") double seconds) {

  private static final int SHOWN = 5;

  /** Returns whether every fault had the expected result. */
  @JsonProperty("good")
  boolean isGood() {
    return rows.stream().allMatch(Row::isGood);
  }

  List<String> lines() {
    TextTable table =
        new TextTable("fault", "times", "invariants", "median s", "max s", "budget s", "over");
    for (Row row : rows) {
      Long budget = row.budgetSeconds();
      table.row(
          row.fault(),
          Integer.toString(row.times()),
          row.invariants(),
          seconds(row.median()),
          seconds(row.max()),
          budget == null ? "-" : budget.toString(),
          budget == null ? "-" : Long.toString(row.overBudget()));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %d contexts, %d rewards, %d snapshots checked; %d/s, seed %d, %.0f s",
            delivery(),
            contexts(),
            rewards(),
            snapshots(),
            perSecond(),
            seed(),
            seconds()));
    for (Row row : rows) {
      lines.addAll(row.firstViolations());
    }
    return lines;
  }

  private static String seconds(double seconds) {
    return Double.isNaN(seconds) ? "-" : String.format(Locale.ROOT, "%.1f", seconds);
  }

  /**
   * The result of one kind of fault.
   *
   * @param budgetSeconds recovery limit; null for none
   * @param recoverySeconds of every injection, in order; infinite if no new decision came
   * @param violations observed by the fault itself, and found by the auditor afterwards, without
   *     those of earlier kinds
   * @param isExpected whether violations are required
   */
  record Row(
      @JsonProperty("fault") String fault,
      @JsonProperty("times") int times,
      @JsonProperty("budgetSeconds") @Nullable Long budgetSeconds,
      @JsonProperty("recoverySeconds") List<Double> recoverySeconds,
      @JsonProperty("violations") List<String> violations,
      @JsonProperty("violationsExpected") boolean isExpected) {

    /** Returns the state of the invariants after this kind of fault. */
    String summary() {
      return fault + ": invariants " + invariants();
    }

    List<String> firstViolations() {
      List<String> lines = new ArrayList<>();
      violations.stream().limit(SHOWN).forEach(violation -> lines.add(fault + ": " + violation));
      if (violations.size() > SHOWN) {
        lines.add(fault + ": and " + (violations.size() - SHOWN) + " more");
      }
      return lines;
    }

    private String invariants() {
      if (isExpected) {
        return violations.isEmpty() ? "NOTHING DETECTED" : "loss detected";
      }
      return violations.isEmpty() ? "hold" : violations.size() + " VIOLATED";
    }

    /** Returns how many recoveries exceeded the limit. */
    @JsonProperty("overBudget")
    long overBudget() {
      Long budget = budgetSeconds;
      return budget == null
          ? 0
          : recoverySeconds.stream().filter(seconds -> seconds > budget).count();
    }

    @JsonProperty("good")
    boolean isGood() {
      boolean isBack = recoverySeconds.stream().allMatch(seconds -> !seconds.isInfinite());
      return isExpected
          ? isBack && !violations.isEmpty()
          : isBack && violations.isEmpty() && overBudget() == 0;
    }

    /** Returns the median recovery, NaN without any. */
    @JsonProperty("medianSeconds")
    double median() {
      double[] sorted = recoverySeconds.stream().mapToDouble(Double::doubleValue).toArray();
      Arrays.sort(sorted);
      int count = sorted.length;
      return count == 0 ? Double.NaN : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    }

    @JsonProperty("maxSeconds")
    double max() {
      return recoverySeconds.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }
  }
}
