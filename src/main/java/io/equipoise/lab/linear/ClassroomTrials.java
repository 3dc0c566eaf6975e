package io.equipoise.lab.linear;

import io.equipoise.bandit.linear.FeatureMask;
import io.equipoise.lab.report.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

/**
 * Runs settings over trials on two threads. A trial depends on its classroom alone, and results are
 * kept by setting and trial, so the number of threads changes nothing.
 */
final class ClassroomTrials {
  private static final int THREADS = 2;

  private final Map<Setting, List<Measures>> measures = new LinkedHashMap<>();

  private ClassroomTrials() {}

  /** Runs all; {@code onDone} is called after each run, from several threads. */
  static ClassroomTrials run(
      List<Classroom> classrooms, Set<Setting> settings, FeatureMask naive, Runnable onDone) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Map<Setting, List<Future<Measures>>> pending = new LinkedHashMap<>();
      for (Setting setting : settings) {
        List<Future<Measures>> trials = new ArrayList<>();
        for (Classroom classroom : classrooms) {
          trials.add(threads.submit(() -> one(classroom, setting, naive, onDone)));
        }
        pending.put(setting, trials);
      }
      ClassroomTrials done = new ClassroomTrials();
      for (Map.Entry<Setting, List<Future<Measures>>> setting : pending.entrySet()) {
        List<Measures> trials = new ArrayList<>();
        for (Future<Measures> trial : setting.getValue()) {
          trials.add(trial.get());
        }
        done.measures.put(setting.getKey(), trials);
      }
      return done;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while trials were running", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a trial failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static Measures one(
      Classroom classroom, Setting setting, FeatureMask naive, Runnable onDone) {
    Measures measures = ClassroomRun.run(classroom, setting, naive);
    onDone.run();
    return measures;
  }

  boolean has(Setting setting) {
    return measures.containsKey(setting);
  }

  List<Measures> of(Setting setting) {
    List<Measures> trials = measures.get(setting);
    if (trials == null) {
      throw new IllegalArgumentException("not run: " + setting);
    }
    return trials;
  }

  Sample sample(Setting setting, ToDoubleFunction<Measures> metric) {
    return Sample.of(of(setting).stream().map(metric::applyAsDouble).toList());
  }

  /** Returns one setting's metric minus another's, trial by trial. */
  Sample difference(Setting one, Setting other, ToDoubleFunction<Measures> metric) {
    List<Double> differences = new ArrayList<>();
    for (int trial = 0; trial < of(one).size(); trial++) {
      differences.add(
          metric.applyAsDouble(of(one).get(trial)) - metric.applyAsDouble(of(other).get(trial)));
    }
    return Sample.of(differences);
  }
}
