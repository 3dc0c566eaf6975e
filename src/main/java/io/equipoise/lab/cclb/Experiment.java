package io.equipoise.lab.cclb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs settings over seeds on two threads. A trial depends on its setting and seed alone, and
 * results are kept in the order of the settings, so the number of threads changes nothing.
 */
final class Experiment {
  private static final int THREADS = 2;

  private final Scm scm;
  private final Map<String, Instance> instances = new TreeMap<>();

  Experiment(Scm scm) {
    this.scm = scm;
  }

  /** A setting and the seeds to run it with. */
  record Plan(Setting setting, List<Long> seeds) {}

  /** Runs all; {@code onTrialDone} is called after each trial, from any thread. */
  List<Result> run(List<Plan> plans, Runnable onTrialDone) {
    for (Plan plan : plans) {
      instances.computeIfAbsent(
          key(plan.setting()),
          key -> scm.instance(plan.setting().instance(), plan.setting().tau()));
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<List<Future<List<Totals>>>> pending = new ArrayList<>();
      for (Plan plan : plans) {
        List<Future<List<Totals>>> ofPlan = new ArrayList<>();
        for (long seed : plan.seeds()) {
          ofPlan.add(threads.submit(() -> trial(plan.setting(), seed, onTrialDone)));
        }
        pending.add(ofPlan);
      }
      List<Result> results = new ArrayList<>();
      for (int place = 0; place < plans.size(); place++) {
        List<List<Totals>> trials = new ArrayList<>();
        for (Future<List<Totals>> trial : pending.get(place)) {
          trials.add(trial.get());
        }
        results.add(new Result(plans.get(place).setting(), plans.get(place).seeds(), trials));
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while trials were running", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a trial failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private List<Totals> trial(Setting setting, long seed, Runnable onTrialDone) {
    Instance instance = instances.get(key(setting));
    if (instance == null) {
      throw new IllegalStateException("no instance " + key(setting));
    }
    List<Totals> totals = Trial.run(setting, instance, scm.alpha(), seed);
    onTrialDone.run();
    return totals;
  }

  private static String key(Setting setting) {
    return setting.instance() + " " + setting.tau();
  }
}
