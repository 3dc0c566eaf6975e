package io.equipoise.tools.cluster;

import io.equipoise.console.ConsoleSettings;
import io.equipoise.gateway.GatewayConfig;
import io.equipoise.http.HttpSettings;
import io.equipoise.job.EquipoiseJob;
import io.equipoise.job.options.ConfigFile;
import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.tools.cluster.ClusterProcess.ProcessKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Starts, stops and records the processes of one cluster. Thread-safe; only the process that has
 * {@link ClusterLock} may change the cluster.
 *
 * <p>State: the record in {@code cluster.json}, which outlives this process; {@code file} is its
 * copy in memory.
 */
public final class Cluster {
  private static final Duration DEATH = Duration.ofSeconds(20);

  private final Distribution distribution;
  private final ClusterLayout clusterLayout;
  private final Hosts hosts;
  private final FlinkRest rest;
  private final Map<ClusterProcess, List<String>> prefixes = new HashMap<>();
  private ClusterFile file;
  private boolean isRetired;

  private Cluster(
      Distribution distribution, ClusterLayout clusterLayout, ClusterFile file, Hosts hosts) {
    this.distribution = distribution;
    this.clusterLayout = clusterLayout;
    this.file = file;
    this.hosts = hosts;
    this.rest = new FlinkRest(hosts.addresses(ProcessKind.JOBMANAGER), file.ports().rest());
  }

  /**
   * Creates the layout of a cluster in an empty directory.
   *
   * @param kafkaPort 0 for a free port
   * @param restPort 0 for a free port
   * @param gatewayPort 0 for a free port
   * @param consolePort 0 for a free port; null for no console
   */
  public static Cluster create(
      Distribution distribution,
      ClusterLayout clusterLayout,
      Plan plan,
      int kafkaPort,
      int restPort,
      int gatewayPort,
      @Nullable Integer consolePort) {
    Ports ports =
        Ports.choose(clusterLayout.directory(), kafkaPort, restPort, gatewayPort, consolePort);
    ClusterProcess.all(plan.taskManagers(), ports.hasConsole()).forEach(ports::requireFree);
    return create(distribution, clusterLayout, plan, ports, Hosts.LOOPBACK);
  }

  /**
   * Creates the layout of a cluster whose members have hosts of their own, in an empty directory.
   * Only this object knows the hosts: {@link #open} does not find the processes.
   */
  public static Cluster create(
      Distribution distribution, ClusterLayout clusterLayout, Plan plan, Hosts hosts) {
    Ports ports = Ports.choose(clusterLayout.directory(), 0, 0, 0, null);
    return create(distribution, clusterLayout, plan, ports, hosts);
  }

  private static Cluster create(
      Distribution distribution, ClusterLayout clusterLayout, Plan plan, Ports ports, Hosts hosts) {
    if (Files.exists(clusterLayout.file())) {
      throw new ClusterException(clusterLayout.directory() + " already has a cluster");
    }
    Cluster cluster = new Cluster(distribution, clusterLayout, ClusterFile.of(plan, ports), hosts);
    cluster.check();
    clusterLayout.create();
    cluster.save(cluster.file);
    return cluster;
  }

  /** Opens the cluster of a directory, if there is one. */
  public static Optional<Cluster> open(Distribution distribution, ClusterLayout clusterLayout) {
    return ClusterFile.read(clusterLayout)
        .map(file -> new Cluster(distribution, clusterLayout, file, Hosts.LOOPBACK));
  }

  public Distribution distribution() {
    return distribution;
  }

  public ClusterLayout layout() {
    return clusterLayout;
  }

  Hosts hosts() {
    return hosts;
  }

  public FlinkRest rest() {
    return rest;
  }

  public synchronized ClusterFile file() {
    return file;
  }

  public List<ClusterProcess> members() {
    ClusterFile now = file();
    return hosts.members(now.plan().taskManagers(), now.ports().hasConsole());
  }

  /** Returns the address for Kafka clients. */
  public String bootstrapServers() {
    return file().ports().bootstrapServers(hosts);
  }

  /** Returns the options of the job: those of the file and those that override it. */
  public JobConfig jobConfig() {
    return JobConfig.from(configuration());
  }

  private Configuration configuration() {
    Configuration given = ConfigFile.read(Path.of(file().plan().config()));
    jobSettings().forEach(given::setString);
    return given;
  }

  /**
   * Checks the options of the job, the gateway and the console, and the specs, before a process
   * starts.
   *
   * @throws io.equipoise.cli.InvalidOptionsException with every error of the options
   * @throws io.equipoise.job.options.StartRefusedException if the redaction key is unusable
   * @throws io.equipoise.segmentspec.SpecException with every error of the specs
   */
  private void check() {
    List<CompiledSpec> unused = EquipoiseJob.specs(GatewayConfig.from(configuration()).job());
  }

  /** Returns the options that the job is started with besides those of its file. */
  public Map<String, String> jobSettings() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("kafka.bootstrap.servers", bootstrapServers());
    settings.put("equipoise.specs", file().plan().specs());
    settings.putAll(file().plan().jobSettings());
    return settings;
  }

  /** Returns the running process of a cluster member, or its keeper. */
  public Optional<ProcessHandle> handle(ClusterProcess clusterProcess) {
    Optional<Started> recorded = file().process(clusterProcess);
    Optional<ProcessHandle> found = recorded.flatMap(Started::handle);
    return clusterProcess.servesTopics()
        ? found.or(() -> recorded.flatMap(Started::orphan))
        : found;
  }

  /** Returns the running process of a cluster member, the kept one if it has a keeper. */
  public Optional<ProcessHandle> running(ClusterProcess clusterProcess) {
    return handle(clusterProcess).map(it -> it.children().findFirst().orElse(it));
  }

  public boolean isAlive(ClusterProcess clusterProcess) {
    return handle(clusterProcess).isPresent();
  }

  /** Starts a member unless it runs; returns whether it did. Does not wait until it is ready. */
  public synchronized boolean start(ClusterProcess clusterProcess) {
    if (isRetired || isAlive(clusterProcess)) {
      return false;
    }
    requireFree(clusterProcess);
    FlinkArguments flink = flink(file);
    ServerArguments server =
        new ServerArguments(distribution, clusterLayout, file.plan(), file.ports(), hosts);
    List<String> arguments =
        switch (clusterProcess.kind()) {
          case ZOOKEEPER -> server.zookeeper();
          case KAFKA -> server.kafka(clusterProcess);
          case JOBMANAGER -> flink.jobManager(clusterProcess);
          case TASKMANAGER -> flink.taskManager(clusterProcess);
          case GATEWAY -> server.gateway(clusterProcess, jobSettings());
          case CONSOLE -> server.console(jobSettings());
        };
    ProcessStart start = new ProcessStart(distribution, clusterLayout);
    String name = clusterProcess.name();
    List<String> entry = new ArrayList<>(hosts.entry(clusterProcess));
    entry.addAll(prefixes.getOrDefault(clusterProcess, List.of()));
    save(
        file.with(
            clusterProcess.servesTopics()
                ? start.keptMember(name, arguments, entry)
                : start.member(name, arguments, entry)));
    return true;
  }

  /** Refuses to start a member whose port another program uses. */
  void requireFree(ClusterProcess clusterProcess) {
    if (hosts.areLoopback()) {
      file().ports().requireFree(clusterProcess);
    }
  }

  /** Returns whether the gateway answers that it is ready, or the console serves its page. */
  public boolean isServing(ClusterProcess clusterProcess) {
    return HttpProbe.isGood(
        clusterProcess.kind() == ProcessKind.GATEWAY
            ? gatewayAddress(clusterProcess) + "/readyz"
            : consoleAddress() + "/");
  }

  /** Returns the address of the first gateway, such as {@code http://127.0.0.1:8080}. */
  public String gatewayAddress() {
    return gatewayAddress(ClusterProcess.GATEWAY);
  }

  /** Returns the addresses of all gateways. */
  public List<String> gatewayAddresses() {
    return members().stream()
        .filter(one -> one.kind() == ProcessKind.GATEWAY)
        .map(this::gatewayAddress)
        .toList();
  }

  private String gatewayAddress(ClusterProcess gateway) {
    HttpSettings http = GatewayConfig.from(configuration()).http();
    return address(http, gateway, file().ports().gateway());
  }

  /** Returns whether callers of the gateway need an API token. */
  public boolean needsToken() {
    return GatewayConfig.from(configuration()).http().tokens().areRequired();
  }

  /** Returns the URL at which browsers reach the console. */
  public String consoleAddress() {
    HttpSettings http = ConsoleSettings.from(configuration()).http();
    return address(http, ClusterProcess.CONSOLE, file().ports().console());
  }

  private String address(HttpSettings settings, ClusterProcess service, int port) {
    return "%s://%s:%d"
        .formatted(settings.keystore() == null ? "http" : "https", hosts.address(service), port);
  }

  /** Sets words before a member's command, such as {@code env A=B}, for its later starts. */
  public synchronized void prefix(ClusterProcess clusterProcess, List<String> words) {
    prefixes.put(clusterProcess, List.copyOf(words));
  }

  /** Prevents all further starts. */
  public synchronized void retire() {
    isRetired = true;
  }

  /** Kills a member, as {@code kill -9}; returns whether it ran. */
  public boolean kill(ClusterProcess clusterProcess) {
    Optional<ProcessHandle> handle = handle(clusterProcess);
    handle.ifPresent(process -> end(clusterProcess, process, true));
    return handle.isPresent();
  }

  /** Asks a member to end, and does not wait for it. */
  void signal(ClusterProcess clusterProcess) {
    handle(clusterProcess).ifPresent(ProcessHandle::destroy);
  }

  /** Ends a member gracefully, or kills it after {@link #DEATH}. */
  void end(ClusterProcess clusterProcess) {
    handle(clusterProcess).ifPresent(process -> end(clusterProcess, process, false));
    synchronized (this) {
      file.process(clusterProcess).ifPresent(process -> save(file.without(process)));
    }
  }

  private static void end(ClusterProcess clusterProcess, ProcessHandle process, boolean isAtOnce) {
    List<ProcessHandle> all = // a keeper before what it keeps
        Stream.concat(Stream.of(process), process.descendants()).toList();
    if (isAtOnce) {
      all.forEach(ProcessHandle::destroyForcibly);
    } else {
      process.destroy();
      if (!haveEnded(all)) {
        all.forEach(ProcessHandle::destroyForcibly);
      }
    }
    if (!haveEnded(all)) {
      throw new ClusterException(
          clusterProcess.name() + " (pid " + process.pid() + ") does not end; end it manually");
    }
  }

  private static boolean haveEnded(List<ProcessHandle> all) {
    try {
      CompletableFuture.allOf(
              all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
          .get(DEATH.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException(
          "interrupted while waiting for the end of pid " + all.get(0).pid(), e);
    }
  }

  /** Submits the distribution's job jar with Flink's own command. */
  public void submit(@Nullable String savepoint) {
    submit(distribution.jobJar(), savepoint);
  }

  /** Submits a job jar with Flink's own command. */
  public void submit(Path jar, @Nullable String savepoint) {
    ClusterFile now = file();
    new JobSubmission(
            new ProcessStart(distribution, clusterLayout),
            clusterLayout,
            flink(now),
            distribution.policyJars())
        .submit(now, jar, jobSettings(), savepoint);
  }

  private FlinkArguments flink(ClusterFile now) {
    return new FlinkArguments(distribution, clusterLayout, now.plan(), now.ports(), hosts);
  }

  /** Returns the name in Flink of the job that the configuration selects. */
  public String jobName() {
    return EquipoiseJob.name(jobConfig().topics().deployment());
  }

  /** Stores the savepoint for the next submission of a job; null for none. */
  public synchronized void rememberSavepoint(String job, @Nullable String path) {
    save(file.withSavepoint(job, path));
  }

  /** Changes the plan for processes that are started from now on. */
  public synchronized void replan(Plan plan) {
    save(file.withPlan(plan));
  }

  private void save(ClusterFile changed) {
    changed.write(clusterLayout);
    file = changed;
  }
}
