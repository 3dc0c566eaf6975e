package io.equipoise.lab;

import io.equipoise.lab.Outcome.Run;
import io.equipoise.lab.report.Figure;
import io.equipoise.policy.tabular.TabularPolicyName;
import java.util.List;
import java.util.Map;

/** Draws mean cumulative regret over rounds, a curve for each run. */
final class RegretPlot {
  private static final int POINTS = 200;

  private RegretPlot() {}

  static Figure of(String experiment, Outcome outcome) {
    Figure figure = new Figure("regret", experiment, "round", "cumulative regret");
    for (Map.Entry<Run, List<Trial>> run : outcome.trials().entrySet()) {
      add(figure, name(run.getKey(), outcome.taus()), run.getValue());
    }
    return figure;
  }

  private static String name(Run run, double[] taus) {
    String tau = run.policy() == TabularPolicyName.F_UCB ? " tau " + taus[run.tauPlace()] : "";
    return run.policy().wire() + tau;
  }

  private static void add(Figure figure, String name, List<Trial> trials) {
    int rounds = trials.get(0).regret().length;
    int points = Math.min(POINTS, rounds);
    double[] x = new double[points];
    double[] y = new double[points];
    for (int i = 0; i < points; i++) {
      int t = (int) ((i + 1L) * rounds / points);
      x[i] = t;
      for (Trial trial : trials) {
        y[i] += trial.regret()[t - 1] / trials.size();
      }
    }
    figure.curve(name, x, y);
  }
}
