package io.equipoise.lab;

import io.equipoise.lab.Outcome.Run;
import io.equipoise.segmentspec.PolicyName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs policies over trials, several at once. A trial's rounds depend on its seed alone, and
 * results are kept by trial.
 */
final class Experiment {
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
    List<List<Trial>> done =
        Parallel.trials(trials, trial -> all(stages.at(trial), runs, taus, onTrialDone), () -> {});
    return transposed(taus, runs, done);
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
