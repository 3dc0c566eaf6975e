package io.equipoise.lab.cclb;

import io.equipoise.lab.report.Sample;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * All trials of a setting.
 *
 * @param seeds of the trials
 * @param trials the checkpoints of each, in the order of the seeds
 */
record Result(CclbSetting setting, List<Long> seeds, List<List<Totals>> trials) {
  /** Returns a measure over the trials after t rounds, a checkpoint. */
  Sample sample(int t, ToDoubleFunction<Totals> measure) {
    return Sample.of(
        trials.stream().map(trial -> measure.applyAsDouble(totals(trial, t))).toList());
  }

  /** Returns the rounds at which totals were taken. */
  List<Integer> checkpoints() {
    return trials.get(0).stream().map(Totals::t).toList();
  }

  boolean hasCheckpoint(int t) {
    return checkpoints().contains(t);
  }

  /** Returns the totals of one trial at the end. */
  Totals last(int trial) {
    List<Totals> checkpoints = trials.get(trial);
    return checkpoints.get(checkpoints.size() - 1);
  }

  private static Totals totals(List<Totals> trial, int t) {
    return trial.stream()
        .filter(totals -> totals.t() == t)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no totals after " + t + " rounds"));
  }
}
