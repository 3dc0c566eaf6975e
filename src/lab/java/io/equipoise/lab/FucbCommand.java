package io.equipoise.lab;

import io.equipoise.lab.report.Replication;
import io.equipoise.lab.report.Row;
import java.util.List;
import picocli.CommandLine.Option;

/** Parses the options of the replications of Huang et al. 2022. */
abstract class FucbCommand extends Replication {
  @Option(
      names = "--trials",
      defaultValue = "5",
      description = "Independent trials. Default: ${DEFAULT-VALUE}.")
  int trials;

  @Option(
      names = "--rounds",
      defaultValue = "5000",
      description = "Rounds of a trial. Default: ${DEFAULT-VALUE}.")
  int rounds;

  @Option(
      names = "--tau",
      defaultValue = "0.1,0.2,0.3,0.4,0.5",
      split = ",",
      description = "Fairness threshold; may be repeated. Default: ${DEFAULT-VALUE}.")
  private List<Double> taus = List.of();

  /** Returns the thresholds, each once. */
  final double[] taus() {
    return taus.stream().distinct().mapToDouble(tau -> tau).toArray();
  }

  @Override
  protected final void check() {
    range("--trials", trials, 1, 10_000);
    range("--rounds", rounds, 1, 10_000_000);
    for (double tau : taus) {
      refuse(!(tau > 0 && tau <= 1e6), "--tau must be greater than 0, at most 1000000, not " + tau);
    }
    super.check();
  }

  final Row settings(int trialCount, int roundCount) {
    return new Row().with("trials", trialCount).with("rounds", roundCount).with("taus", taus);
  }
}
