package io.equipoise.audit;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.KafkaLog;
import io.equipoise.audit.report.LoggedExperiment;
import io.equipoise.audit.report.SurvivingExperiments;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.Printable;
import io.equipoise.cli.Verb;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.LogTopic;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.KeyOption;
import io.equipoise.job.start.Launch;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.Unredactor;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reports best-arm experiments from their topic: {@code experiment report}. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Reports the best-arm experiments (csr-*, ts-*) of a deployment from its committed"
          + " experiments topic: samples, eliminated arms with the reason, and the result.",
      "With at-least-once delivery it also reads decisions and segment events, and leaves out"
          + " records that were withdrawn after a failure.",
      "Exit code 0, also if no experiment has closed a phase; 1 if the topic cannot be read."
    })
public final class ReportCommand extends Verb {
  private static final String DEPLOYMENT = "equipoise.deployment";
  private static final int NOT_READ = 1;

  @Mixin private TimeoutOption timeout = new TimeoutOption();
  @Mixin private MemoryOption memory = new MemoryOption();
  @Mixin private Launch launch = new Launch();
  @Mixin private JsonOutput json = new JsonOutput();
  @Mixin private KeyOption key = new KeyOption();

  @Option(
      names = "--segment",
      paramLabel = "NAME",
      description = "Reports the experiments of this segment only.")
  private @Nullable String segment;

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description = "Reads this topic, not the experiments topic of equipoise.deployment.")
  private @Nullable String topic;

  private int closed;

  @Override
  public Integer call() throws InterruptedException {
    SurvivingExperiments surviving;
    List<LoggedExperiment> experiments;
    try {
      Unredactor unredactor = new Unredactor(key.keys());
      surviving = surviving();
      experiments = surviving.read(segment, record -> revealed(record, unredactor));
    } catch (InconclusiveException | IllegalStateException | KafkaException e) {
      return failed(NOT_READ, command().qualifiedName() + ": " + launch.message(e));
    }
    caveats(surviving);
    print(experiments, json.takesStandardOutput() ? err() : out());
    json.write(experiments.stream().map(LoggedExperiment::json).toList(), out());
    return 0;
  }

  private SurvivingExperiments surviving() throws InterruptedException {
    Configuration given = launch.configuration();
    boolean isDeployment = topic == null || given.containsKey(DEPLOYMENT);
    if (!isDeployment) {
      given.setString(DEPLOYMENT, "any");
    }
    JobConfig config = JobConfig.from(given);
    String records = topic == null ? config.topics().experiments() : topic;
    return new SurvivingExperiments(
        open(config, Map.of(records, LogTopic.EXPERIMENTS)),
        () -> changes(isDeployment ? config : null),
        memory.bytes());
  }

  private CommittedLog open(JobConfig config, Map<String, LogTopic> topics)
      throws InterruptedException {
    return new ProgressLog(
        KafkaLog.open(config.kafka(), topics, Map.of(), timeout.duration()), err());
  }

  /** With --topic alone no deployment is known, so withdrawn records cannot be detected. */
  private CommittedLog changes(@Nullable JobConfig deployment) throws InterruptedException {
    if (deployment == null) {
      throw new InconclusiveException(
          "topic %s contains records of at-least-once delivery; set equipoise.deployment too, because"
                  .formatted(topic)
              + " its decisions and segment events show which records were withdrawn");
    }
    Map<String, LogTopic> topics =
        Map.of(
            deployment.topics().decisions(), LogTopic.DECISIONS,
            deployment.topics().segmentEvents(), LogTopic.SEGMENT_EVENTS);
    return open(deployment, topics);
  }

  /** A record that cannot be decrypted is reported with the redacted group names. */
  private ExperimentRecord revealed(ExperimentRecord record, Unredactor unredactor) {
    try {
      return unredactor.reveal(record);
    } catch (CiphertextException e) {
      closed++;
      return record;
    }
  }

  private void caveats(SurvivingExperiments surviving) {
    Printable.lines(surviving.caveats(), err());
    if (closed > 0) {
      warn("group names are redacted; give the deployment's key with --key FILE to show them");
    }
    err().flush();
  }

  private void print(List<LoggedExperiment> experiments, PrintWriter text) {
    if (experiments.isEmpty()) {
      text.println(
          "No experiment"
              + (segment == null ? "" : " of segment " + segment)
              + " has closed a phase or ended.");
    }
    for (LoggedExperiment experiment : experiments) {
      Printable.lines(experiment.lines(), text);
      text.println();
    }
    text.flush();
  }
}
