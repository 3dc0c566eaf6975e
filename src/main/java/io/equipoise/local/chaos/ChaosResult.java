package io.equipoise.local.chaos;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a run.
 *
 * @param delivery what the job promised, as the option names it
 * @param contexts that had to be answered once, over all deployments
 * @param rewards that had to be learned once
 * @param snapshots of learning state that the replayed log had to reach
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

  /** Says whether every fault was borne as it must be. */
  @JsonProperty("good")
  boolean isGood() {
    return rows.stream().allMatch(Row::isGood);
  }

  /**
   * One kind of fault.
   *
   * @param budgetSeconds null where none is promised
   * @param recoverySeconds of every injection, in their order; infinite where no new answer came
   * @param violations what the fault itself saw, and what the judge found afterwards, not counting
   *     what earlier kinds left
   * @param isExpected whether violations are what must be found
   */
  record Row(
      @JsonProperty("fault") String fault,
      @JsonProperty("times") int times,
      @JsonProperty("budgetSeconds") @Nullable Long budgetSeconds,
      @JsonProperty("recoverySeconds") List<Double> recoverySeconds,
      @JsonProperty("violations") List<String> violations,
      @JsonProperty("violationsExpected") boolean isExpected) {

    /** Returns how many recoveries took longer than promised. */
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

    /** Returns the middle one of the recoveries, NaN without any. */
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
