package io.equipoise.lab.cclb;

import io.equipoise.lab.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs settings over seeds, several at once. A trial depends on its setting and seed alone, and
 * results are kept in the order of the settings.
 */
final class CclbExperiment {
  private final Scm scm;
  private final Map<String, CclbInstance> instances = new TreeMap<>();

  CclbExperiment(Scm scm) {
    this.scm = scm;
  }

  /** A setting and the seeds to run it with. */
  record Plan(CclbSetting setting, List<Long> seeds) {}

  /** Runs all; {@code onTrialDone} is called after each trial, from any thread. */
  List<Result> run(List<Plan> plans, Runnable onTrialDone) {
    for (Plan plan : plans) {
      instances.computeIfAbsent(
          key(plan.setting()),
          key -> scm.instance(plan.setting().instance(), plan.setting().tau()));
    }
    List<Task> tasks = new ArrayList<>();
    for (Plan plan : plans) {
      plan.seeds().forEach(seed -> tasks.add(new Task(plan.setting(), seed)));
    }
    List<List<Totals>> done =
        Parallel.trials(tasks.size(), task -> trial(tasks.get(task)), onTrialDone);
    List<Result> results = new ArrayList<>();
    int first = 0;
    for (Plan plan : plans) {
      int next = first + plan.seeds().size();
      results.add(new Result(plan.setting(), plan.seeds(), done.subList(first, next)));
      first = next;
    }
    return results;
  }

  private record Task(CclbSetting setting, long seed) {}

  private List<Totals> trial(Task task) {
    CclbInstance cclbInstance = instances.get(key(task.setting));
    if (cclbInstance == null) {
      throw new IllegalStateException("no instance " + key(task.setting));
    }
    return CclbTrial.run(task.setting, cclbInstance, scm.alpha(), task.seed);
  }

  private static String key(CclbSetting cclbSetting) {
    return cclbSetting.instance() + " " + cclbSetting.tau();
  }
}
