package io.equipoise.audit;

import io.equipoise.audit.report.AuditTopic;
import io.equipoise.audit.report.ExperimentLog;
import io.equipoise.audit.report.LoggedExperiment;
import io.equipoise.audit.report.UnreadableTopicException;
import io.equipoise.cli.JsonOutput;
import io.equipoise.event.FairnessAudit;
import io.equipoise.job.JobConfig;
import io.equipoise.job.KeyOption;
import io.equipoise.job.Launch;
import io.equipoise.join.disclosure.Revealer;
import io.equipoise.join.disclosure.SealedException;
import io.equipoise.join.disclosure.UnusableKeyException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
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
      "Exit code 0, also if no experiment has closed a phase; 1 if the topic cannot be read."
    })
public final class ReportCommand implements Callable<Integer> {
  private static final String DEPLOYMENT = "equipoise.deployment";

  @Spec private CommandSpec command = CommandSpec.create();
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

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long brokers may stay silent. Default: ${DEFAULT-VALUE}.")
  private long patienceSeconds;

  /** Returns the exit code. */
  @Override
  public Integer call() {
    PrintWriter err = command.commandLine().getErr();
    PrintWriter out = command.commandLine().getOut();
    ExperimentLog log = new ExperimentLog();
    int unread;
    int[] closed = {0};
    try {
      Revealer revealer = new Revealer(key.keys());
      JobConfig config = JobConfig.from(configuration());
      String name = topic == null ? config.topics().audit() : topic;
      Duration patience = Duration.ofSeconds(patienceSeconds);
      unread =
          new AuditTopic(config.kafka(), name, patience)
              .read(audit -> log.add(revealed(audit, revealer, closed)));
    } catch (UnreadableTopicException | UnusableKeyException | IllegalStateException e) {
      err.println(e.getMessage());
      err.flush();
      return 1;
    }
    if (unread > 0) {
      err.println(unread + " records were written by a later version and are left out");
      err.flush();
    }
    if (closed[0] > 0) {
      err.println("names of groups are hidden; --key FILE of the deployment's key shows them");
      err.flush();
    }
    List<LoggedExperiment> experiments = log.experiments(segment);
    print(experiments, json.takesStandardOutput() ? err : out);
    json.write(experiments.stream().map(LoggedExperiment::json).toList(), out);
    return 0;
  }

  /** What no key opens is reported as it is, with other names of the groups. */
  private static FairnessAudit revealed(FairnessAudit audit, Revealer revealer, int[] closed) {
    if (audit.phase() == null) {
      return audit;
    }
    try {
      return revealer.reveal(audit);
    } catch (SealedException e) {
      closed[0]++;
      return audit;
    }
  }

  /** A topic of its own name needs no deployment. */
  private Configuration configuration() {
    Configuration given = launch.configuration();
    if (topic != null && !given.containsKey(DEPLOYMENT)) {
      given.setString(DEPLOYMENT, "any");
    }
    return given;
  }

  private void print(List<LoggedExperiment> experiments, PrintWriter text) {
    if (experiments.isEmpty()) {
      text.println(
          "No experiment"
              + (segment == null ? "" : " of segment " + segment)
              + " has closed a phase or ended.");
    }
    for (LoggedExperiment experiment : experiments) {
      experiment.lines().forEach(text::println);
      text.println();
    }
    text.flush();
  }
}
