package io.equipoise.lab;

import io.equipoise.lab.report.Publication;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that all replications share. */
final class ReplicateOptions {
  private static final int MAX_ROUNDS = 10_000_000;

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
  List<Double> taus = List.of();

  @Option(
      names = "--first-seed",
      defaultValue = "1",
      description = "Seed of the first trial; each further one adds 1. Default: ${DEFAULT-VALUE}.")
  long firstSeed;

  @Mixin final Publication publication = new Publication();

  double[] taus() {
    return taus.stream().distinct().mapToDouble(tau -> tau).toArray();
  }

  /** Refuses values that no run can have. */
  void check() {
    refuse(trials < 1 || trials > 10_000, "--trials must be from 1 to 10000");
    refuse(rounds < 1 || rounds > MAX_ROUNDS, "--rounds must be from 1 to " + MAX_ROUNDS);
    for (double tau : taus) {
      refuse(!(tau > 0 && tau <= 1e6), "--tau must be greater than 0, at most 1000000, not " + tau);
    }
    publication.check();
  }

  ParameterException refused(String message) {
    return publication.refused(message);
  }

  private void refuse(boolean isWrong, String message) {
    if (isWrong) {
      throw refused(message);
    }
  }
}
