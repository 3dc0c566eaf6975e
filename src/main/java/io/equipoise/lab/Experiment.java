package io.equipoise.lab;

import io.equipoise.lab.Outcome.Run;
import io.equipoise.spec.PolicyName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs policies over trials on two threads. A trial's rounds depend on its seed alone, and results
 * are kept by trial, so the number of threads changes nothing.
 */
final class Experiment {
  private static final int THREADS = 2;

  private Experiment() {}

  /** What one trial plays: the same rounds for every policy. */
  interface Stage {
    Environment environment();

    List<Round> rounds();

    Player player(PolicyName policy, double tau);
  }

  /** Prepares the trial of a place, 0 first; called from several threads. */
  interface Stages {
    Stage at(int trial);
  }

  /** Runs all; {@code onTrialDone} is called after each trial of a policy. */
  static Outcome run(
      Stages stages, List<PolicyName> policies, double[] taus, int trials, Runnable onTrialDone) {
    Set<Run> runs = new LinkedHashSet<>();
    for (PolicyName policy : policies) {
      for (int place = 0; place < taus.length; place++) {
        runs.add(Run.of(policy, place));
      }
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<List<Trial>>> pending = new ArrayList<>();
      for (int trial = 0; trial < trials; trial++) {
        int place = trial;
        pending.add(threads.submit(() -> all(stages.at(place), runs, taus, onTrialDone)));
      }
      List<List<Trial>> done = new ArrayList<>();
      for (Future<List<Trial>> trial : pending) {
        done.add(trial.get());
      }
      return transposed(taus, runs, done);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while trials were running", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a trial failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Trial> all(Stage stage, Set<Run> runs, double[] taus, Runnable onTrialDone) {
    List<Trial> trials = new ArrayList<>();
    for (Run run : runs) {
      Player player = stage.player(run.policy(), taus[run.tauPlace()]);
      trials.add(Trial.run(player, stage.environment(), stage.rounds(), taus));
      onTrialDone.run();
    }
    return trials;
  }

  private static Outcome transposed(double[] taus, Set<Run> runs, List<List<Trial>> done) {
    Outcome outcome = new Outcome(taus);
    int place = 0;
    for (Run run : runs) {
      List<Trial> ofRun = new ArrayList<>();
      for (List<Trial> trial : done) {
        ofRun.add(trial.get(place));
      }
      outcome.add(run, ofRun);
      place++;
    }
    return outcome;
  }

  /** Returns how many trials of a policy {@link #run} will report. */
  static int steps(List<PolicyName> policies, double[] taus, int trials) {
    Set<Run> runs = new LinkedHashSet<>();
    for (PolicyName policy : policies) {
      for (int place = 0; place < taus.length; place++) {
        runs.add(Run.of(policy, place));
      }
    }
    return runs.size() * trials;
  }
}
