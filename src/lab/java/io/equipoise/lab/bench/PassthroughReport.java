package io.equipoise.lab.bench;

import io.equipoise.cli.TextTable;
import io.equipoise.event.LogTopic;
import io.equipoise.job.options.JobConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Writes the report of {@code bench passthrough}. Ratios are of the full job over another job, one
 * for each turn; a spread has {@code median, least, greatest}. Fields of the JSON:
 *
 * <ul>
 *   <li>{@code ratio}: median ratio of inputs per second over the identity job
 *   <li>{@code bytesPerRecord}: mean bytes of the full job's values, uncompressed: {@code decision,
 *       segmentEvent, audit}
 *   <li>{@code detail.ratios.JOB}: spreads of {@code inputsPerSecond}, {@code
 *       inputsPerSecondWriting} (until the last record is written), {@code processorTime} of the
 *       whole process and {@code jobProcessorTime} without the broker
 *   <li>{@code detail.settings}, {@code detail.machine}
 *   <li>{@code detail.JOB}: {@code inputsPerSecond} of each run, their {@code median, least,
 *       greatest}; medians of {@code processorMicrosPerInput} (the whole process) and of its part
 *       {@code brokerMicrosPerInput}; {@code committed} records and bytes by topic
 *   <li>{@code detail.sharesOfProcessorTime.JOB}: share of samples by part
 * </ul>
 */
final class PassthroughReport {
  private final JobConfig config;
  private final Workload workload;
  private final int warmUps;
  private final Map<JobRun.Job, List<JobRun>> runs;
  private final Map<JobRun.Job, Map<String, Double>> shares;

  PassthroughReport(
      BenchDeployment deployment,
      int warmUps,
      Map<JobRun.Job, List<JobRun>> runs,
      Map<JobRun.Job, Map<String, Double>> shares) {
    this.config = deployment.topics().config();
    this.workload = deployment.topics().workload();
    this.warmUps = warmUps;
    this.runs = runs;
    this.shares = shares;
  }

  BenchReport report() {
    return new BenchReport()
        .field("ratio", ratio(JobRun.Job.IDENTITY, JobRun::inputsPerSecond).median())
        .field("bytesPerRecord", bytesPerRecord())
        .field("detail", detail())
        .table(jobs())
        .table(ratios())
        .table(records())
        .table(parts());
  }

  private Map<LogTopic, CommittedOutput.Topic> committed() {
    return runs(JobRun.Job.FULL).get(0).committed().topics();
  }

  private Map<String, Object> bytesPerRecord() {
    Map<String, Object> means = new LinkedHashMap<>();
    means.put("decision", committed().get(LogTopic.DECISIONS).meanBytes());
    means.put("segmentEvent", committed().get(LogTopic.SEGMENT_EVENTS).meanBytes());
    means.put("audit", committed().get(LogTopic.AUDIT).meanBytes());
    return means;
  }

  private Map<String, Object> detail() {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put(
        "what",
        "inputs per second of the full job over those of identity jobs that emit as many records of"
            + " the same schemas and sizes into the same sinks; from the first record written to"
            + " the end of the job, when the last is committed");
    Map<String, Object> ratios = new LinkedHashMap<>();
    for (JobRun.Job job : List.of(JobRun.Job.IDENTITY, JobRun.Job.IDENTITY_OF_BYTES)) {
      Map<String, MeasuredSpread> of = new LinkedHashMap<>();
      of.put("inputsPerSecond", ratio(job, JobRun::inputsPerSecond));
      of.put("inputsPerSecondWriting", ratio(job, JobRun::inputsPerSecondWriting));
      of.put("processorTime", ratio(job, JobRun::cpuMicrosPerInput));
      of.put("jobProcessorTime", ratio(job, JobRun::jobMicrosPerInput));
      ratios.put(job.name(), of);
    }
    detail.put("ratios", ratios);
    detail.put("settings", settings());
    detail.put("machine", BenchReport.machine());
    runs.forEach((job, measured) -> detail.put(job.name(), job(measured)));
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
    settings.put("runs", runs(JobRun.Job.FULL).size());
    settings.put("discardedWarmUpRuns", warmUps);
    return settings;
  }

  private static Map<String, Object> job(List<JobRun> runs) {
    MeasuredSpread inputsPerSecond = MeasuredSpread.of(runs, JobRun::inputsPerSecond);
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("inputsPerSecond", runs.stream().map(JobRun::inputsPerSecond).toList());
    job.put("median", inputsPerSecond.median());
    job.put("least", inputsPerSecond.least());
    job.put("greatest", inputsPerSecond.greatest());
    job.put("processorMicrosPerInput", MeasuredSpread.of(runs, JobRun::cpuMicrosPerInput).median());
    job.put("brokerMicrosPerInput", MeasuredSpread.of(runs, JobRun::brokerMicrosPerInput).median());
    Map<String, Object> written = new LinkedHashMap<>();
    runs.get(0)
        .committed()
        .topics()
        .forEach(
            (output, topic) ->
                written.put(
                    output.name(), Map.of("records", topic.count(), "bytes", topic.bytes())));
    job.put("committed", written);
    return job;
  }

  private TextTable jobs() {
    TextTable table =
        new TextTable(workload.spec().name(), "inputs/s", "job, us/input", "broker, us/input");
    runs.forEach(
        (job, measured) ->
            table.row(
                name(job),
                MeasuredSpread.of(measured, JobRun::inputsPerSecond).text(0),
                MeasuredSpread.of(measured, JobRun::jobMicrosPerInput).text(1),
                MeasuredSpread.of(measured, JobRun::brokerMicrosPerInput).text(1)));
    return table;
  }

  private TextTable ratios() {
    TextTable table = new TextTable("full job over", "inputs/s", "processor time without broker");
    for (JobRun.Job job : List.of(JobRun.Job.IDENTITY, JobRun.Job.IDENTITY_OF_BYTES)) {
      table.row(
          name(job),
          ratio(job, JobRun::inputsPerSecond).text(2),
          ratio(job, JobRun::jobMicrosPerInput).text(2));
    }
    return table;
  }

  private TextTable records() {
    TextTable table = new TextTable("topic of the full job", "records", "bytes/record");
    committed()
        .forEach(
            (output, topic) ->
                table.row(
                    name(output),
                    Long.toString(topic.count()),
                    topic.count() == 0
                        ? "-"
                        : String.format(Locale.ROOT, "%.0f", topic.meanBytes())));
    return table;
  }

  private TextTable parts() {
    TextTable table = new TextTable("share of samples", "full", "identity");
    TreeSet<String> parts = new TreeSet<>();
    shares.values().forEach(share -> parts.addAll(share.keySet()));
    for (String part : parts) {
      table.row(part, share(JobRun.Job.FULL, part), share(JobRun.Job.IDENTITY, part));
    }
    return table;
  }

  private String share(JobRun.Job job, String part) {
    double share = shares.getOrDefault(job, Map.of()).getOrDefault(part, 0.0);
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  private MeasuredSpread ratio(JobRun.Job under, ToDoubleFunction<JobRun> measure) {
    return MeasuredSpread.ofRatios(runs(JobRun.Job.FULL), runs(under), measure);
  }

  private List<JobRun> runs(JobRun.Job job) {
    return runs.getOrDefault(job, List.of());
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
