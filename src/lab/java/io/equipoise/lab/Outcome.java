package io.equipoise.lab;

import io.equipoise.cli.report.Figure;
import io.equipoise.cli.report.Sample;
import io.equipoise.lab.report.Row;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.simulation.Environment;
import io.equipoise.simulation.Round;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Runs and summarizes the trials of an experiment. A policy without a fairness constraint runs once
 * in each trial and is checked at every tau; F-UCB runs once for each trial and tau.
 */
final class Outcome {
  private static final int PLOT_POINTS = 200;

  private final double[] taus;
  private final Runs<Run, Trial> trials;

  Outcome(double[] taus, Runs<Run, Trial> trials) {
    this.taus = taus.clone();
    this.trials = trials;
  }

  /** A policy and, for F-UCB, the index of its tau. */
  record Run(PolicyName policy, int tauPlace) {
    static Run of(PolicyName policy, int tauPlace) {
      return new Run(policy, policy == TabularPolicyName.F_UCB ? tauPlace : 0);
    }
  }

  /** Plays one trial: the same rounds for every policy. */
  record Stage(
      Environment environment,
      List<Round> rounds,
      BiFunction<PolicyName, Double, Player> players) {}

  /**
   * Runs policies over trials, several at once. The rounds of a trial depend on its seed alone.
   *
   * @param stages prepares the trial of an index, from several threads
   * @param onTrialDone is called after each trial of a policy
   */
  static Outcome run(
      IntFunction<Stage> stages,
      List<PolicyName> policies,
      double[] taus,
      int trials,
      Runnable onTrialDone) {
    List<Run> runs = runs(policies, taus);
    return new Outcome(
        taus,
        Runs.of(
            trials,
            trial -> {
              Stage stage = stages.apply(trial);
              Map<Run, Trial> ofStage = new LinkedHashMap<>();
              for (Run run : runs) {
                Player player = stage.players().apply(run.policy(), taus[run.tauPlace()]);
                ofStage.put(run, Trial.run(player, stage.environment(), stage.rounds(), taus));
                onTrialDone.run();
              }
              return ofStage;
            },
            () -> {}));
  }

  private static List<Run> runs(List<PolicyName> policies, double[] taus) {
    return policies.stream()
        .flatMap(policy -> IntStream.range(0, taus.length).mapToObj(tau -> Run.of(policy, tau)))
        .distinct()
        .toList();
  }

  /** Returns how often {@link #run} calls {@code onTrialDone}. */
  static int steps(List<PolicyName> policies, double[] taus, int trials) {
    return runs(policies, taus).size() * trials;
  }

  /** Adds the trials of one run, in their order. */
  void add(Run run, List<Trial> ofRun) {
    trials.results().put(run, List.copyOf(ofRun));
  }

  double[] taus() {
    return taus.clone();
  }

  /** Returns the index of a tau, or -1 if it was not run. */
  int place(double tau) {
    return Arrays.stream(taus).boxed().toList().indexOf(tau);
  }

  Sample regret(PolicyName policy, int tauPlace, int t) {
    return trials.sample(Run.of(policy, tauPlace), trial -> trial.regret()[t - 1]);
  }

  Sample unfair(PolicyName policy, int tauPlace) {
    return trials.sample(Run.of(policy, tauPlace), trial -> trial.unfair()[tauPlace]);
  }

  Sample twin(PolicyName policy, int tauPlace) {
    return trials.sample(Run.of(policy, tauPlace), trial -> trial.twin()[tauPlace]);
  }

  /** Returns one policy's twin decisions minus another's, trial by trial over the same people. */
  Sample twinDifference(PolicyName one, PolicyName other, int tauPlace) {
    return trials.difference(
        Run.of(one, tauPlace), 1, Run.of(other, tauPlace), trial -> trial.twin()[tauPlace]);
  }

  /** Returns a row for each policy and tau, with the regret after a round. */
  List<Row> rows(List<PolicyName> policies, int rounds) {
    List<Row> rows = new ArrayList<>();
    for (PolicyName policy : policies) {
      for (int place = 0; place < taus.length; place++) {
        rows.add(
            new Row()
                .with("policy", policy.wire())
                .with("tau", taus[place])
                .with("regret", regret(policy, place, rounds))
                .with("unfair", unfair(policy, place))
                .with("twin", twin(policy, place)));
      }
    }
    return rows;
  }

  /** Draws the mean cumulative regret over rounds, one curve for each run. */
  Figure plot(String experiment) {
    Figure figure = new Figure("regret", experiment, "round", "cumulative regret");
    trials
        .results()
        .forEach(
            (run, ofRun) -> {
              int rounds = ofRun.get(0).regret().length;
              int points = Math.min(PLOT_POINTS, rounds);
              double[] x = new double[points];
              double[] y = new double[points];
              for (int i = 0; i < points; i++) {
                int t = (int) ((i + 1L) * rounds / points);
                x[i] = t;
                for (Trial trial : ofRun) {
                  y[i] += trial.regret()[t - 1] / ofRun.size();
                }
              }
              String tau =
                  run.policy() == TabularPolicyName.F_UCB ? " tau " + taus[run.tauPlace()] : "";
              figure.curve(run.policy().wire() + tau, x, y);
            });
    return figure;
  }
}
