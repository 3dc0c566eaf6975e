package io.equipoise.lab.bench;

import picocli.CommandLine.Option;

/** Parses the options for the size of a measured job. */
final class JobSizeOptions {
  @Option(
      names = "--parallelism",
      defaultValue = "2",
      description =
          "Parallelism of each job and partitions of each topic (default: ${DEFAULT-VALUE}).")
  private int parallelism;

  @Option(
      names = "--segments",
      defaultValue = "64",
      description = "Number of segments in the inputs (default: ${DEFAULT-VALUE}).")
  private int segments;

  int parallelism() {
    return parallelism;
  }

  int segments() {
    return segments;
  }

  /** Returns whether a job can have this size. */
  boolean isPossible() {
    return parallelism >= 1 && segments >= 1;
  }
}
