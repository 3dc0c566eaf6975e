package io.equipoise.tools.watch;

import io.equipoise.cli.OptionValues.AtLeastOne;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.WatchPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.tools.StopSignal;
import io.equipoise.watch.EvidenceText;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Keeps the evidence on all registrations up to date: {@code watch run}. */
@Command(
    name = "run",
    description = {
      "Keeps the evidence on all challengers and group monitors up to date, until it is interrupted.",
      "It reads committed records beside the job and writes only the topic watch. It has no state: a"
          + " start reads the log again and writes the same records. So it may be killed, and run"
          + " twice. A later registration is replayed from the log's beginning beside the others.",
      "Exit code 1 if the topic has other evidence than the log gives (EVIDENCE_DIFFERS), 2 if an"
          + " option or a topic cannot be used."
    })
final class WatchRunCommand extends WatchVerb {
  static final String MOST_PENDING = "200000";

  private static final Duration POLL = Duration.ofMillis(200);

  @Mixin private ReplayOptions replay = new ReplayOptions();

  static final class ReplayOptions {
    @Option(
        names = "--threads",
        paramLabel = "N",
        converter = AtLeastOne.class,
        description = "Challengers that are replayed at a time. Default: the number of cores.")
    private long count = Runtime.getRuntime().availableProcessors();

    @Option(
        names = "--max-pending",
        paramLabel = "N",
        converter = AtLeastOne.class,
        defaultValue = MOST_PENDING,
        description =
            "Rows of a segment that may wait for their rewards; more end its registrations"
                + " (TOO_MANY_PENDING). Runs and watch verify need the same number. Default:"
                + " ${DEFAULT-VALUE}.")
    private long maxPending;

    int maxPending() {
      return Math.toIntExact(maxPending);
    }

    ExecutorService pool() {
      return Executors.newFixedThreadPool((int) Math.min(count, ChallengerCommand.MOST_OPEN));
    }
  }

  @Override
  protected int runOn(Deployment deployment) throws InterruptedException {
    JobConfig config = deployment.config();
    WatchedSegment.refuseInexact(config);
    WatchPublisher.create(deployment.admin(), config);
    ExecutorService tasks = replay.pool();
    try (StopSignal stop = new StopSignal();
        WatchRun run = WatchRun.of(config, replay.maxPending(), tasks)) {
      deployment.say("Watching. Ctrl-C ends it; a later run continues.");
      BrokerContact brokers =
          new BrokerContact(
              () -> deployment.admin().describeCluster().clusterId(),
              deployment::say,
              System::nanoTime);
      while (!stop.await(Duration.ofMillis(1))) {
        brokers.check();
        for (WatchRecord record : run.step(POLL)) {
          WatchEnded ended = record.ended();
          String why = ended == null ? "" : ": " + EvidenceText.ended(ended);
          deployment.say("%s of %s, id %s%s", record.type(), record.segment(), record.id(), why);
        }
      }
      return 0;
    } finally {
      tasks.shutdownNow();
    }
  }
}
