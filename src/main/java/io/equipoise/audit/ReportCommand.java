package io.equipoise.audit;

import io.equipoise.audit.log.CannotJudgeException;
import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.KafkaLog;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.report.LoggedExperiment;
import io.equipoise.audit.report.SurvivingExperiments;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.Printable;
import io.equipoise.event.FairnessAudit;
import io.equipoise.job.JobConfig;
import io.equipoise.job.KeyOption;
import io.equipoise.job.Launch;
import io.equipoise.join.disclosure.Revealer;
import io.equipoise.join.disclosure.SealedException;
import io.equipoise.join.disclosure.UnusableKeyException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The verb {@code audit report}. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Prints what experiments (csr-*, ts-*) tried, what they dropped, when and why, and what they"
          + " found, from the audit topic of a deployment. Reads what is committed when it starts.",
      "Where delivery is at-least-once, reads decisions and outcomes too, and leaves out what was"
          + " withdrawn after a failure.",
      "Exit code 0, also if no experiment has closed a phase; 1 if the topic cannot be read."
    })
public final class ReportCommand implements Callable<Integer> {
  private static final String DEPLOYMENT = "equipoise.deployment";
  private static final int NOT_READ = 1;

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private PatienceOption patience = new PatienceOption();
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
      description = "Reads this topic, not the audit topic of equipoise.deployment.")
  private @Nullable String topic;

  private int closed;

  /** Returns the exit code. */
  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = command.commandLine().getErr();
    PrintWriter out = command.commandLine().getOut();
    SurvivingExperiments surviving;
    List<LoggedExperiment> experiments;
    try {
      Revealer revealer = new Revealer(key.keys());
      surviving = surviving();
      experiments = surviving.read(segment, audit -> revealed(audit, revealer));
    } catch (CannotJudgeException
        | UnusableKeyException
        | IllegalStateException
        | KafkaException e) {
      err.println(e.getMessage());
      err.flush();
      return NOT_READ;
    }
    warn(surviving, err);
    print(experiments, json.takesStandardOutput() ? err : out);
    json.write(experiments.stream().map(LoggedExperiment::json).toList(), out);
    return 0;
  }

  private SurvivingExperiments surviving() throws InterruptedException {
    Configuration given = launch.configuration();
    boolean isDeployment = topic == null || given.containsKey(DEPLOYMENT);
    if (!isDeployment) {
      given.setString(DEPLOYMENT, "any");
    }
    JobConfig config = JobConfig.from(given);
    String audits = topic == null ? config.topics().audit() : topic;
    return new SurvivingExperiments(
        open(config, Map.of(audits, LogTopic.AUDIT)),
        () -> changes(isDeployment ? config : null),
        memory.bytes());
  }

  private CommittedLog open(JobConfig config, Map<String, LogTopic> topics)
      throws InterruptedException {
    return new ProgressLog(
        KafkaLog.open(config.kafka(), topics, Map.of(), patience.duration()),
        command.commandLine().getErr());
  }

  /** A topic of its own name needs no deployment, but only that tells what was withdrawn. */
  private CommittedLog changes(@Nullable JobConfig deployment) throws InterruptedException {
    if (deployment == null) {
      throw new CannotJudgeException(
          "topic %s holds records of at-least-once delivery; name equipoise.deployment too, whose"
                  .formatted(topic)
              + " decisions and outcomes tell which of them were withdrawn");
    }
    Map<String, LogTopic> topics =
        Map.of(
            deployment.topics().decisions(), LogTopic.DECISIONS,
            deployment.topics().outcomes(), LogTopic.OUTCOMES);
    return open(deployment, topics);
  }

  /** What no key opens is reported as it is, with other names of the groups. */
  private FairnessAudit revealed(FairnessAudit audit, Revealer revealer) {
    if (audit.phase() == null) {
      return audit;
    }
    try {
      return revealer.reveal(audit);
    } catch (SealedException e) {
      closed++;
      return audit;
    }
  }

  private void warn(SurvivingExperiments surviving, PrintWriter err) {
    surviving.caveats().stream().map(Printable::line).forEach(err::println);
    if (closed > 0) {
      err.println("names of groups are hidden; --key FILE of the deployment's key shows them");
    }
    err.flush();
  }

  private void print(List<LoggedExperiment> experiments, PrintWriter text) {
    if (experiments.isEmpty()) {
      text.println(
          "No experiment"
              + (segment == null ? "" : " of segment " + segment)
              + " has closed a phase or ended.");
    }
    for (LoggedExperiment experiment : experiments) {
      experiment.lines().stream().map(Printable::line).forEach(text::println);
      text.println();
    }
    text.flush();
  }
}
