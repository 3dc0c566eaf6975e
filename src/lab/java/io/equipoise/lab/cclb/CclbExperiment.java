package io.equipoise.lab.cclb;

import io.equipoise.cli.report.Sample;
import io.equipoise.lab.cclb.Totals.Measure;
import io.equipoise.simulation.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs settings over seeds, several trials at once. A trial depends on its setting and seed alone;
 * results are in the order of the settings.
 */
final class CclbExperiment {
  private CclbExperiment() {}

  record Plan(CclbSetting setting, List<Long> seeds) {}

  /**
   * All trials of a setting.
   *
   * @param trials the checkpoints of each trial, in the order of the seeds
   */
  record Result(CclbSetting setting, List<Long> seeds, List<List<Totals>> trials) {
    /** Returns a measure over the trials after t rounds, a checkpoint. */
    Sample sample(int t, Measure measure) {
      int checkpoint = checkpoints().indexOf(t);
      return Sample.of(trials, trial -> trial.get(checkpoint).get(measure));
    }

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
  }

  private record Task(CclbSetting setting, CclbInstance instance, long seed) {}

  /** Runs all plans; calls {@code onTrialDone} after each trial, from any thread. */
  static List<Result> run(List<Plan> plans, Runnable onTrialDone) {
    Map<String, CclbInstance> instances = new TreeMap<>();
    List<Task> tasks = new ArrayList<>();
    for (Plan plan : plans) {
      CclbSetting setting = plan.setting();
      CclbInstance instance =
          instances.computeIfAbsent(
              setting.instance() + " " + setting.tau(),
              key -> Scm.instance(setting.instance(), setting.tau()));
      plan.seeds().forEach(seed -> tasks.add(new Task(setting, instance, seed)));
    }
    List<List<Totals>> done =
        Parallel.trials(
            tasks.size(),
            i -> {
              Task task = tasks.get(i);
              return CclbTrial.run(task.setting, task.instance, Scm.ALPHA, task.seed);
            },
            onTrialDone);
    List<Result> results = new ArrayList<>();
    int first = 0;
    for (Plan plan : plans) {
      int next = first + plan.seeds().size();
      results.add(new Result(plan.setting(), plan.seeds(), done.subList(first, next)));
      first = next;
    }
    return results;
  }
}
