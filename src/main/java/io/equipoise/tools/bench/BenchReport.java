package io.equipoise.tools.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Emission.Output;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Converts measured runs to JSON: {@code ratio}, {@code bytesPerRecord}, and the rest under {@code
 * detail}.
 */
final class BenchReport {
  private final JobConfig config;
  private final Workload workload;
  private final int warmUps;
  private final Map<JobRun.Job, List<JobRun>> runs;
  private final Map<JobRun.Job, Map<String, Double>> shares;

  BenchReport(
      JobConfig config,
      Workload workload,
      int warmUps,
      Map<JobRun.Job, List<JobRun>> runs,
      Map<JobRun.Job, Map<String, Double>> shares) {
    this.config = config;
    this.workload = workload;
    this.warmUps = warmUps;
    this.runs = runs;
    this.shares = shares;
  }

  String json() throws JsonProcessingException {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("ratio", ratio(JobRun.Job.IDENTITY, JobRun::inputsPerSecond));
    report.put("bytesPerRecord", bytesPerRecord());
    report.put("detail", detail());
    return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report);
  }

  /** Returns the mean bytes of the full job's records, uncompressed and without their keys. */
  private Map<String, Object> bytesPerRecord() {
    Map<Output, CommittedOutput.Topic> topics =
        runs.get(JobRun.Job.FULL).get(0).committed().topics();
    Map<String, Object> means = new LinkedHashMap<>();
    means.put("decision", topics.get(Output.DECISIONS).meanBytes());
    means.put("segmentEvent", topics.get(Output.SEGMENT_EVENTS).meanBytes());
    means.put("audit", topics.get(Output.AUDIT).meanBytes());
    return means;
  }

  private Map<String, Object> detail() {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put(
        "what",
        "median inputs per second of the full F-UCB job over that of an identity job that emits"
            + " as many records of the same schemas and sizes into the same sinks; from the first"
            + " record written to the end of the job, when the last is committed");
    detail.put(
        "ratioOverIdentityOfEncodedBytes",
        ratio(JobRun.Job.IDENTITY_OF_BYTES, JobRun::inputsPerSecond));
    detail.put(
        "ratioUntilTheLastRecordIsWritten",
        ratio(JobRun.Job.IDENTITY, JobRun::inputsPerSecondWriting));
    detail.put("ratioOfProcessorTime", 1 / ratio(JobRun.Job.IDENTITY, JobRun::cpuMicrosPerInput));
    detail.put("settings", settings());
    detail.put("machine", machine());
    for (Map.Entry<JobRun.Job, List<JobRun>> job : runs.entrySet()) {
      detail.put(job.getKey().name(), job(job.getValue()));
    }
    detail.put("sharesOfProcessorTime", shares);
    return detail;
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("spec", workload.spec().name());
    settings.put("arms", workload.spec().arms().size());
    settings.put("contexts", workload.contexts());
    settings.put("rewards", workload.contexts());
    settings.put("segments", workload.segments());
    settings.put("parallelism", config.partitions());
    settings.put("partitions", config.partitions());
    settings.put("delivery", config.delivery().toString());
    settings.put("checkpointIntervalMillis", config.checkpointInterval().toMillis());
    settings.put("runs", runs.get(JobRun.Job.FULL).size());
    settings.put("discardedWarmUpRuns", warmUps);
    return settings;
  }

  private static Map<String, Object> machine() {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("processors", Runtime.getRuntime().availableProcessors());
    machine.put("maxHeapBytes", Runtime.getRuntime().maxMemory());
    machine.put(
        "java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    machine.put(
        "system",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    return machine;
  }

  private static Map<String, Object> job(List<JobRun> runs) {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("inputsPerSecond", runs.stream().map(JobRun::inputsPerSecond).toList());
    job.put("median", median(runs, JobRun::inputsPerSecond));
    job.put("least", Series.quantile(runs, JobRun::inputsPerSecond, 0));
    job.put("greatest", Series.quantile(runs, JobRun::inputsPerSecond, 1));
    job.put("processorMicrosPerInput", median(runs, JobRun::cpuMicrosPerInput));
    Map<String, Object> written = new LinkedHashMap<>();
    for (Map.Entry<Output, CommittedOutput.Topic> topic :
        runs.get(0).committed().topics().entrySet()) {
      written.put(
          topic.getKey().name(),
          Map.of("records", topic.getValue().count(), "bytes", topic.getValue().bytes()));
    }
    job.put("committed", written);
    return job;
  }

  private double ratio(JobRun.Job under, ToDoubleFunction<JobRun> measure) {
    return median(runs.get(JobRun.Job.FULL), measure) / median(runs.get(under), measure);
  }

  private static double median(List<JobRun> runs, ToDoubleFunction<JobRun> measure) {
    return Series.quantile(runs, measure, .5);
  }
}
