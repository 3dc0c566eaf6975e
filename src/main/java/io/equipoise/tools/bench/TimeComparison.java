package io.equipoise.tools.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs the jobs in turn, after warm-up runs that are discarded, and profiles one more run of the
 * full job and of the identity job.
 */
final class TimeComparison {
  private final BenchDeployment deployment;
  private final Workload workload;
  private final int warmUps;
  private final int runs;
  private final Consumer<String> progress;

  TimeComparison(
      BenchDeployment deployment,
      Workload workload,
      int warmUps,
      int runs,
      Consumer<String> progress) {
    this.deployment = deployment;
    this.workload = workload;
    this.warmUps = warmUps;
    this.runs = runs;
    this.progress = progress;
  }

  /** Measures, and returns the report as JSON. */
  String report() throws IOException, InterruptedException {
    deployment.fill();
    JobRun first = deployment.run(ComparedJob.FULL, null);
    RecordTemplates recordTemplates = RecordTemplates.of(first.committed(), workload);
    for (int run = 1; run <= warmUps; run++) {
      for (ComparedJob comparedJob : ComparedJob.values()) {
        tell("warm-up " + run, deployment.run(comparedJob, recordTemplates));
      }
    }
    Map<ComparedJob, List<JobRun>> measured = new EnumMap<>(ComparedJob.class);
    for (int run = 1; run <= runs; run++) {
      for (ComparedJob comparedJob : ComparedJob.values()) {
        JobRun one = deployment.run(comparedJob, recordTemplates);
        tell("run " + run, one);
        measured.computeIfAbsent(comparedJob, it -> new ArrayList<>()).add(one);
      }
    }
    Map<ComparedJob, Map<String, Double>> shares = new EnumMap<>(ComparedJob.class);
    for (ComparedJob comparedJob : List.of(ComparedJob.FULL, ComparedJob.IDENTITY)) {
      try (TimeProfile profile = TimeProfile.start()) {
        deployment.run(comparedJob, recordTemplates);
        shares.put(comparedJob, profile.shares());
      }
    }
    return new BenchReport(deployment.config(), workload, warmUps, measured, shares).json();
  }

  private void tell(String which, JobRun jobRun) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "%s %s: %.0f inputs/s, %.1f us of processor time each",
            which,
            jobRun.job(),
            jobRun.inputsPerSecond(),
            jobRun.cpuMicrosPerInput()));
  }
}
