package io.equipoise.lab.chaos;

import io.equipoise.cli.JsonOutput;
import io.equipoise.http.ApiTokens;
import io.equipoise.http.ApiTokens.NewToken;
import io.equipoise.http.TokenScope;
import io.equipoise.job.options.Delivery;
import io.equipoise.lab.chaos.FaultCatalog.Injection;
import io.equipoise.tools.DeliveryConverter;
import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterLayout;
import io.equipoise.tools.cluster.ClusterLock;
import io.equipoise.tools.cluster.ClusterStop;
import io.equipoise.tools.cluster.Distribution;
import io.equipoise.tools.cluster.Plan;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Injects faults into a cluster and verifies its log: the verb {@code chaos}. */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a cluster of real processes, sends it a simulated campaign, "
          + "injects faults, and checks from the committed topics that "
          + "nothing was lost or duplicated.",
      "Exit code 1 if an invariant is violated or a recovery exceeds its limit."
    })
public final class ChaosCommand implements Callable<Integer> {
  private static final List<String> STANDARD =
      List.of("kill-taskmanager:20", "kill-jobmanager:5", "kill-broker:5", "kill-zookeeper");

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--fault",
      split = ",",
      paramLabel = "NAME[:COUNT]",
      description = "Injects only these faults, in this order. Default: kills of every process.")
  private List<String> faults = new ArrayList<>();

  @Option(
      names = "--delivery",
      paramLabel = "MODE",
      defaultValue = "exactly-once",
      converter = DeliveryConverter.class,
      description =
          "Delivery guarantee of the job: exactly-once, or at-least-once, where no decision may"
              + " have two arms. Default: ${DEFAULT-VALUE}.")
  private Delivery delivery = Delivery.EXACTLY_ONCE;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "40",
      description = "Contexts per second. Default: ${DEFAULT-VALUE}.")
  private int perSecond;

  @Option(
      names = "--spec-changes",
      description =
          "Publishes new versions of four specs every 12 seconds meanwhile: an offer comes, another"
              + " goes and returns, for cells, ridge, logistic and allocation models.")
  private boolean changesSpecs;

  @Option(
      names = "--site",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Lets a site ask over HTTP for an article N times a second: 4 %% of the visitors click,"
              + " silence is the reward 0, and one of five articles is replaced every 12 seconds."
              + " What was shown must be learned once. Default: ${DEFAULT-VALUE}, no site.")
  private int visitsPerSecond;

  @Option(
      names = "--hosts",
      description =
          "Starts three brokers, two job managers, two task managers, two gateways and ZooKeeper,"
              + " each in a network namespace of its own. Requires root and iproute2.")
  private boolean hasHosts;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "Seed of people, victims and pauses. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "equipoise-chaos",
      description = "New directory for the cluster, which is kept. Default: ${DEFAULT-VALUE}.")
  private Path directory = Path.of("equipoise-chaos");

  /** Returns the exit code. */
  @Override
  public Integer call() throws InterruptedException {
    List<Injection> injections = injections();
    if (delivery == Delivery.AT_LEAST_ONCE
        && injections.stream().anyMatch(it -> it.fault() instanceof OutageFault)) {
      throw new ParameterException(
          command.commandLine(),
          "--fault: an outage loses transactions, and with --delivery at-least-once there are"
              + " none");
    }
    checkHosts(injections);
    if (changesSpecs
        && injections.stream().anyMatch(it -> it.fault() instanceof SpecChangesFault)) {
      throw new ParameterException(
          command.commandLine(), "--spec-changes and --fault change-specs change the same specs");
    }
    if (perSecond < 1 || perSecond > 10_000) {
      throw new ParameterException(
          command.commandLine(), "--rate must be 1 to 10000, not " + perSecond);
    }
    PrintWriter err = command.commandLine().getErr();
    Consumer<String> progress =
        line -> {
          err.println(line);
          err.flush();
        };
    if (visitsPerSecond < 0 || visitsPerSecond > 1_000) {
      throw new ParameterException(
          command.commandLine(), "--site must be 0 to 1000, not " + visitsPerSecond);
    }
    if (hasHosts && !HostNetwork.isPossible()) {
      err.println("equipoise chaos: --hosts requires root and the command ip of iproute2");
      return 2;
    }
    try {
      ClusterLayout clusterLayout = new ClusterLayout(directory);
      return ClusterLock.<Integer, InterruptedException>hold(
          clusterLayout, () -> run(clusterLayout, injections, progress));
    } catch (ClusterException e) {
      err.println("equipoise chaos: " + e.getMessage());
      return 1;
    }
  }

  private int run(
      ClusterLayout clusterLayout, List<Injection> injections, Consumer<String> progress)
      throws InterruptedException {
    Distribution distribution = Distribution.ofThisProcess();
    Plan plan = Plan.standard(distribution);
    NewToken token = ApiTokens.generate("chaos", TokenScope.WRITE);
    HostNetwork network = hasHosts ? HostNetwork.standard(plan.taskManagers()) : null;
    Cluster cluster =
        network == null
            ? Cluster.create(distribution, clusterLayout, plan, 0, 0, 0, null)
            : Cluster.create(
                distribution, clusterLayout, onHosts(plan, clusterLayout, token), network.hosts());
    Runnable end = () -> end(cluster, injections, network, progress);
    Thread onInterrupt = new Thread(end, "chaos-end");
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    try {
      if (network != null) {
        network.create();
      }
      return run(cluster, injections, network, token.token(), progress);
    } finally {
      end.run(); // runs again when this process ends, without effect
    }
  }

  /** Returns a plan with three replicas and with gateways that other hosts may call. */
  private static Plan onHosts(Plan plan, ClusterLayout clusterLayout, NewToken token) {
    Path tokens = clusterLayout.directory().resolve("gateway-tokens");
    try {
      Files.writeString(tokens, token.line());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + tokens, e);
    }
    return plan.with(
        Map.of("equipoise.replication-factor", "3", "gateway.tokens-file", tokens.toString()),
        Map.of());
  }

  private int run(
      Cluster cluster,
      List<Injection> injections,
      @Nullable HostNetwork network,
      String token,
      Consumer<String> progress)
      throws InterruptedException {
    for (Injection injection : injections) {
      injection.fault().prepare(cluster.layout());
    }
    List<ChangingSpec> changing = new ArrayList<>(changesSpecs ? OfferSpec.ALL : List.of());
    if (visitsPerSecond > 0) {
      changing.add(new SiteSpec());
    }
    ChangingSpec.writeAll(changing, cluster.layout(), 1);
    ChaosRun.Plan plan =
        new ChaosRun.Plan(
            injections,
            delivery,
            perSecond,
            visitsPerSecond,
            seed,
            changing,
            network == null ? null : token,
            network);
    ChaosResult result = new ChaosRun(cluster, plan, progress).run();
    PrintWriter out = command.commandLine().getOut();
    if (!json.takesStandardOutput()) {
      result.lines().forEach(out::println);
      out.flush();
    }
    json.write(result, out);
    return result.isGood() ? 0 : 1;
  }

  private static void end(
      Cluster cluster,
      List<Injection> injections,
      @Nullable HostNetwork network,
      Consumer<String> progress) {
    try {
      if (cluster.members().stream().anyMatch(cluster::isAlive)) {
        new ClusterStop(cluster, progress).processes();
      }
      for (Injection injection : injections) {
        injection.fault().dispose(cluster.layout());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(network, progress);
    }
  }

  private static void end(@Nullable HostNetwork network, Consumer<String> progress) {
    try {
      if (network != null) {
        network.close();
      }
    } catch (ClusterException e) {
      progress.accept("Remove what is left of the network: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void checkHosts(List<Injection> injections) {
    for (Injection injection : injections) {
      Fault fault = injection.fault();
      if (!hasHosts && fault.needsHosts()) {
        throw new ParameterException(
            command.commandLine(), "--fault: " + fault.name() + " requires --hosts");
      }
      if (hasHosts && !fault.worksOnHosts()) {
        throw new ParameterException(
            command.commandLine(),
            "--fault: %s does not work with --hosts; use %s"
                .formatted(fault.name(), FaultCatalog.names(Fault::worksOnHosts)));
      }
    }
  }

  private List<Injection> injections() {
    try {
      return (faults.isEmpty() ? STANDARD : faults).stream().map(Injection::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), "--fault: " + e.getMessage(), e);
    }
  }
}
