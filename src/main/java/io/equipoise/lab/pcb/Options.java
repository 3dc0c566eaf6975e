package io.equipoise.lab.pcb;

import io.equipoise.lab.report.Publication;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that the experiments share. */
final class Options {
  private static final int MAX_TRIALS = 10_000;

  @Option(
      names = "--trials",
      paramLabel = "N",
      description = "Independent trials, each with a log of its own.")
  private int trials;

  @Option(
      names = "--first-seed",
      defaultValue = "1",
      description = "Seed of the first trial; each further one adds 1. Default: ${DEFAULT-VALUE}.")
  private long firstSeed;

  @Mixin private final Publication publication = new Publication();

  Publication publication() {
    return publication;
  }

  /** Returns the number of trials asked for, or else the experiment's own. */
  int trials(int byDefault) {
    return trials == 0 ? byDefault : trials;
  }

  long firstSeed() {
    return firstSeed;
  }

  /** Refuses values that no run can have. */
  void check() {
    publication.check();
    if (trials < 0 || trials > MAX_TRIALS) {
      throw publication.refused("--trials must be from 1 to " + MAX_TRIALS);
    }
  }
}
