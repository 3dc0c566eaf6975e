package io.equipoise.lab.chaos;

import io.equipoise.job.options.JobConfig;
import io.equipoise.lab.chaos.LogVerifier.VerifiedLog;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterLayout;
import io.equipoise.tools.cluster.ClusterLock;
import io.equipoise.tools.cluster.ClusterStart;
import io.equipoise.tools.cluster.ClusterStop;
import io.equipoise.tools.cluster.Distribution;
import io.equipoise.tools.cluster.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.config.ConfigResource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a piece of a soak, and reports all pieces: the verb {@code bench soak}. */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a cluster of real processes under constant load over Kafka and HTTP, samples its sizes"
          + " and latencies, checks the invariants, and stops it with a savepoint. With the same"
          + " --dir, the next call continues from it.",
      "Prints a table of all pieces and draws DIR/soak.svg. Exit code 1 if an invariant is violated."
    })
public final class SoakCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final long SAMPLE_SECONDS = 30;

  /** A full collection of a process takes some 100 ms, so only every tenth sample has one. */
  private static final int SAMPLES_PER_COLLECTION = 10;

  /** Segments are closed and deleted some 3 minutes later, so that topics are full after 10. */
  private static final Duration RETENTION = Duration.ofMinutes(7);

  /** So that state, topics and the broker's memory are full after the warm-up. */
  private static final Map<String, String> BROKER =
      Map.of(
          "log.retention.check.interval.ms", "30000",
          "log.cleaner.backoff.ms", "15000",
          "transactional.id.expiration.ms", "420000",
          "transaction.remove.expired.transaction.cleanup.interval.ms", "60000",
          "producer.id.expiration.ms", "420000",
          "producer.id.expiration.check.interval.ms", "60000",
          "metadata.log.segment.ms", "60000",
          "metadata.log.max.snapshot.interval.ms", "120000",
          "metadata.max.retention.ms", "600000");

  @Spec private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "75",
      description = "Minutes of traffic; 0 only reports. Default: ${DEFAULT-VALUE}.")
  private int minutes;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "Contexts per second on the topic, and decisions per second over HTTP. Default:"
              + " ${DEFAULT-VALUE}.")
  private int perSecond;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "equipoise-soak",
      description = "Directory of the cluster and its samples, kept. Default: ${DEFAULT-VALUE}.")
  private Path directory = Path.of("equipoise-soak");

  /** Returns the exit code. */
  @Override
  public Integer call() throws Exception {
    if (minutes < 0 || minutes > 90 || perSecond < 1 || perSecond > 500) {
      throw new ParameterException(
          command.commandLine(),
          "--minutes must be 0 to 90, not %d, and --rate 1 to 500, not %d"
              .formatted(minutes, perSecond));
    }
    ClusterLayout clusterLayout = new ClusterLayout(directory);
    Path file = clusterLayout.directory().resolve("samples.csv");
    try {
      List<String> violations = new ArrayList<>();
      if (minutes > 0) {
        ClusterLock.<Void, Exception>hold(
            clusterLayout, () -> run(clusterLayout, file, violations));
      }
      SoakReport report = new SoakReport(samples(file));
      Files.writeString(clusterLayout.directory().resolve("soak.svg"), report.svg());
      List<String> lines = new ArrayList<>(report.table());
      violations.forEach(it -> lines.add("VIOLATED: " + it));
      lines.forEach(command.commandLine().getOut()::println);
      command.commandLine().getOut().flush();
      return violations.isEmpty() ? 0 : 1;
    } catch (ClusterException e) {
      progress("equipoise bench soak: " + e.getMessage());
      return 1;
    }
  }

  private void progress(String line) {
    command.commandLine().getErr().println(line);
    command.commandLine().getErr().flush();
  }

  private static List<SoakSample> samples(Path file) throws IOException {
    return SoakSample.parse(Files.exists(file) ? Files.readAllLines(file) : List.of());
  }

  private Void run(ClusterLayout clusterLayout, Path file, List<String> violations)
      throws Exception {
    Distribution distribution = Distribution.ofThisProcess();
    Optional<Cluster> earlier = Cluster.open(distribution, clusterLayout);
    Cluster cluster = earlier.isPresent() ? earlier.get() : create(distribution, clusterLayout);
    Runnable end = () -> end(cluster, violations);
    Runtime.getRuntime().addShutdownHook(new Thread(end, "soak-end"));
    try {
      new ClusterStart(cluster, this::progress).run();
      limitTopics(cluster, RETENTION.toMillis());
      violations.addAll(play(cluster, file));
    } finally {
      end.run(); // runs again when this process ends, without effect
    }
    return null;
  }

  private synchronized void end(Cluster cluster, List<String> violations) {
    if (cluster.members().stream().anyMatch(cluster::isAlive)
        && !new ClusterStop(cluster, this::progress).run()) {
      violations.add("the job was not stopped with a savepoint");
    }
  }

  /** Creates a cluster whose specs and brokers forget within a few minutes. */
  private static Cluster create(Distribution distribution, ClusterLayout clusterLayout)
      throws IOException {
    Plan plan = Plan.standard(distribution);
    Cluster cluster = Cluster.create(distribution, clusterLayout, plan, 0, 0, 0, 0);
    Files.createDirectories(clusterLayout.specs());
    for (SegmentSpec spec : SpecFiles.load(Path.of(plan.specs()))) {
      Files.writeString(clusterLayout.specs().resolve(spec.name() + ".yaml"), brief(spec.text()));
    }
    Files.write(
        clusterLayout.brokerOverrides(),
        BROKER.entrySet().stream().map(Object::toString).sorted().toList());
    cluster.replan(
        plan.withSpecs(clusterLayout.specs().toString())
            .with(Map.of("equipoise.deployment", "soak"), Map.of()));
    return cluster;
  }

  private static String brief(String spec) {
    return spec.replaceAll("(reward-window|dedup-window): \\d+m", "$1: 3m")
        .replaceAll("early-reward-timeout: \\d+m", "early-reward-timeout: 1m");
  }

  private static void limitTopics(Cluster cluster, long retentionMillis)
      throws ExecutionException, InterruptedException {
    Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
    List<AlterConfigOp> limits =
        Stream.of(
                new ConfigEntry("retention.ms", Long.toString(retentionMillis)),
                new ConfigEntry("segment.ms", Long.toString(RETENTION.toMillis() / 10)))
            .map(limit -> new AlterConfigOp(limit, AlterConfigOp.OpType.SET))
            .toList();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
      ListTopicsOptions withInternal = new ListTopicsOptions().listInternal(true);
      for (String name : admin.listTopics(withInternal).names().get()) {
        changes.put(new ConfigResource(ConfigResource.Type.TOPIC, name), limits);
      }
      admin.incrementalAlterConfigs(changes).all().get();
    }
  }

  /** Sends traffic and samples; returns the violations. */
  private List<String> play(Cluster cluster, Path file)
      throws IOException, ExecutionException, InterruptedException {
    JobConfig config = cluster.jobConfig();
    List<SegmentSpec> specs = SpecFiles.load(Path.of(cluster.file().plan().specs()));
    List<SoakSample> before = samples(file);
    int piece = before.isEmpty() ? 1 : before.get(before.size() - 1).piece() + 1;
    Clock clock = Clock.systemUTC();
    Queue<Long> waits = new ConcurrentLinkedQueue<>();
    Map<String, Long> processes = SoakSample.processes(cluster);
    try (Traffic traffic = new Traffic(config, specs, perSecond, piece, clock);
        GatewayTraffic callers =
            new GatewayTraffic(
                config,
                new PersistentCaller(cluster.gatewayAddresses(), null),
                specs,
                perSecond,
                waits::add,
                clock)) {
      // Rates are below 1,000 a second, so a later piece begins after the rounds of this one.
      traffic.start(clock.millis(), PATIENCE);
      traffic.truth().unwatch();
      callers.start();
      long start = System.nanoTime();
      double last = 0;
      Map<String, Long> totals = totals(traffic, callers);
      for (int i = 0; last < minutes * 60L; i++) {
        double next = (Math.floor(seconds(start) / SAMPLE_SECONDS) + 1) * SAMPLE_SECONDS;
        Thread.sleep((long) (1_000 * (next - seconds(start))));
        traffic.check();
        boolean collects = i % SAMPLES_PER_COLLECTION == 0;
        Map<String, Double> values = new TreeMap<>(SoakSample.measure(cluster, collects));
        double seconds = seconds(start) - last;
        last += seconds;
        for (Map.Entry<String, Long> total : totals(traffic, callers).entrySet()) {
          long since = totals.put(total.getKey(), total.getValue());
          values.put("per s/" + total.getKey(), (total.getValue() - since) / seconds);
        }
        values.put("waiting/contexts", (double) traffic.truth().undecided());
        values.put("waiting/rewards", (double) traffic.truth().unapplied());
        addLatencies(waits, values);
        new SoakSample(piece, last, values).append(file);
        callers.readOn();
      }
      return violations(cluster, config, processes, traffic, callers);
    }
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static Map<String, Long> totals(Traffic traffic, GatewayTraffic callers) {
    Map<String, Long> totals = new TreeMap<>(callers.totals());
    totals.put("contexts over Kafka", traffic.rounds());
    return totals;
  }

  private static void addLatencies(Queue<Long> waits, Map<String, Double> values) {
    int count = waits.size();
    double[] millis = new double[count];
    Arrays.setAll(millis, i -> waits.remove() / 1e6);
    Arrays.sort(millis);
    if (count > 0) {
      values.put("http ms/p50", millis[count / 2]);
      values.put("http ms/p99", millis[count * 99 / 100]);
      values.put("http ms/max", millis[count - 1]);
    }
  }

  private List<String> violations(
      Cluster cluster,
      JobConfig config,
      Map<String, Long> processes,
      Traffic traffic,
      GatewayTraffic callers)
      throws ExecutionException, InterruptedException {
    callers.drain();
    String missing = traffic.drain(PATIENCE);
    List<String> violations = new ArrayList<>(callers.verify());
    if (!missing.isEmpty()) {
      violations.add("not drained within " + PATIENCE + ": " + missing);
    }
    if (!SoakSample.processes(cluster).equals(processes)) {
      violations.add(
          "a process was restarted: " + processes + ", " + SoakSample.processes(cluster));
    }
    limitTopics(cluster, -1); // so that nothing is removed while it is read
    VerifiedLog log = LogVerifier.verify(config);
    progress(callers.summary());
    progress("rewards that were appended after their window, by code: " + traffic.truth().late());
    progress(
        "audit of the last %d min: %d contexts, %d rewards, %d snapshots"
            .formatted(RETENTION.toMinutes(), log.contexts(), log.rewards(), log.snapshots()));
    for (String finding : log.violations()) { // of what retention has removed, some is not checked
      if (finding.contains(" not checked: ")) {
        progress(finding);
      } else {
        violations.add(finding);
      }
    }
    return violations;
  }
}
