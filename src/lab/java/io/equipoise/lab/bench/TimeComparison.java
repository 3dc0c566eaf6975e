package io.equipoise.lab.bench;

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
  private final int warmUps;
  private final int runs;
  private final Consumer<String> progress;

  TimeComparison(BenchDeployment deployment, int warmUps, int runs, Consumer<String> progress) {
    this.deployment = deployment;
    this.warmUps = warmUps;
    this.runs = runs;
    this.progress = progress;
  }

  PassthroughReport report() throws IOException, InterruptedException {
    deployment.topics().fill();
    JobRun first = deployment.run(JobRun.Job.FULL, null);
    RecordTemplates recordTemplates =
        RecordTemplates.of(first.committed(), deployment.topics().workload());
    for (int run = 1; run <= warmUps; run++) {
      for (JobRun.Job job : JobRun.Job.values()) {
        log("warm-up " + run, deployment.run(job, recordTemplates));
      }
    }
    Map<JobRun.Job, List<JobRun>> measured = new EnumMap<>(JobRun.Job.class);
    for (int run = 1; run <= runs; run++) {
      for (JobRun.Job job : JobRun.Job.values()) {
        JobRun one = deployment.run(job, recordTemplates);
        log("run " + run, one);
        measured.computeIfAbsent(job, it -> new ArrayList<>()).add(one);
      }
    }
    Map<JobRun.Job, Map<String, Double>> shares = new EnumMap<>(JobRun.Job.class);
    for (JobRun.Job job : List.of(JobRun.Job.FULL, JobRun.Job.IDENTITY)) {
      try (TimeProfile profile = TimeProfile.start()) {
        deployment.run(job, recordTemplates);
        shares.put(job, profile.shares());
      }
    }
    return new PassthroughReport(deployment, warmUps, measured, shares);
  }

  private void log(String which, JobRun jobRun) {
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
