package io.equipoise.tools.demo;

import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.OptionValues.Port;
import io.equipoise.cli.Progress;
import io.equipoise.cli.QuietLog;
import io.equipoise.cli.Steps;
import io.equipoise.cli.Verb;
import io.equipoise.console.ConsoleServer;
import io.equipoise.console.ConsoleSettings;
import io.equipoise.gateway.Gateway;
import io.equipoise.http.HttpSettings;
import io.equipoise.job.options.Delivery;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.tools.DeliveryConverter;
import io.equipoise.tools.EmbeddedDeployment;
import io.equipoise.tools.StopSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the Email Campaign on an embedded broker: the verb {@code demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the Email Campaign with five policies and the job on an embedded "
          + "broker, and prints reward, regret and unfair decisions of each policy.",
      "Exit code 1 if a context has no decision or a ledger does not balance."
    })
public final class DemoCommand extends Verb {
  private static final Duration FOR_EVER = Duration.ofDays(36_500);
  private static final int METRICS_SEGMENTS = 20;
  private static final Duration CONSOLE_HISTORY = Duration.ofMinutes(10);

  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "NAME",
      description = "Runs only these policies: ucb, c-ucb, d-ucb, f-ucb, screen. Default: all.")
  private List<String> policies = new ArrayList<>();

  @Option(
      names = "--tau",
      paramLabel = "TAU",
      description = "Largest fair effect of gender. Default: the specs'.")
  private @Nullable Double tau;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5000",
      description = "Number of people for every segment. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "People per second for every segment. Default: as fast as the job decides; then most of"
              + " the latency is queueing.")
  private @Nullable Integer perSecond;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "Seed of people, noise, delays and bad records. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--delivery",
      paramLabel = "MODE",
      defaultValue = "exactly-once",
      converter = DeliveryConverter.class,
      description = "exactly-once or at-least-once. Default: ${DEFAULT-VALUE}.")
  private Delivery delivery = Delivery.EXACTLY_ONCE;

  @Option(
      names = "--keep-running",
      description = "Keeps broker and job running afterwards, until interrupted.")
  private boolean isKeptRunning;

  @Option(
      names = "--console",
      arity = "0..1",
      paramLabel = "PORT",
      converter = Port.class,
      fallbackValue = "" + ConsoleSettings.PORT,
      description = {
        "Serves the console on a port of this machine, ${FALLBACK-VALUE} by default, 0 for any free"
            + " one. Implies --keep-running."
      })
  private @Nullable Integer consolePort;

  @Override
  public Integer call() throws InterruptedException {
    List<PolicyName> chosen = chosen();
    check(rounds > 0, "--rounds must be at least 1, not " + rounds);
    check(
        tau == null || (tau > 0 && Double.isFinite(tau)),
        "--tau must be a number greater than 0, not " + tau);
    check(perSecond == null || perSecond > 0, "--rate must be at least 1, not " + perSecond);
    warn("Starting a Kafka broker and a Flink cluster in this process ...");
    Steps steps = new Steps(err());
    QuietLog.set();
    Demo demo = new Demo(new Demo.DemoPlan(chosen, tau, rounds, perSecond, seed));
    try (StopSignal stop = new StopSignal();
        EmbeddedDeployment cluster = DemoCluster.start(chosen, tau, delivery);
        ConsoleServer console = consolePort == null ? null : console(cluster, consolePort)) {
      steps.done("Broker, cluster and job run.");
      if (console != null) {
        steps.done("Console: " + console.address() + "/");
      }
      DemoResult result;
      try (ProgressBar progress = Progress.bar("decisions", (long) rounds * chosen.size())) {
        result = demo.run(cluster, progress);
      }
      steps.done("All decisions are made and checked.");
      DemoReport report = new DemoReport(json.takesStandardOutput() ? err() : out());
      report.print(result);
      boolean isKept = isKeptRunning || console != null;
      report.nextSteps(cluster.bootstrapServers(), cluster.run().webInterface().toString(), isKept);
      json.write(result, out());
      if (isKept) {
        try (Gateway gateway = DemoCluster.gateway(cluster)) {
          report.gateway(gateway.address(), cluster.specs());
          stop.await(FOR_EVER);
        }
      }
      return result.isGood() ? 0 : 1;
    }
  }

  private static ConsoleServer console(EmbeddedDeployment cluster, int port) {
    return ConsoleServer.start(
        new ConsoleSettings(
            cluster.config(),
            HttpSettings.loopback(port),
            CONSOLE_HISTORY,
            cluster.run().webInterface(),
            METRICS_SEGMENTS));
  }

  private List<PolicyName> chosen() {
    List<PolicyName> all = ShippedSpecs.POLICIES;
    for (String policy : policies) {
      check(
          all.stream().anyMatch(name -> name.wire().equals(policy)),
          "--policy " + policy + " must be one of ucb, c-ucb, d-ucb, f-ucb, screen");
    }
    return all.stream()
        .filter(name -> policies.isEmpty() || policies.contains(name.wire()))
        .toList();
  }

  private void check(boolean isGood, String fault) {
    if (!isGood) {
      throw refused(fault);
    }
  }
}
