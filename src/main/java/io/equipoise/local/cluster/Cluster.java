package io.equipoise.local.cluster;

import io.equipoise.job.ConfigFile;
import io.equipoise.job.JobConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one cluster and the record of them. Safe for several threads; of several
 * processes only the holder of {@link ClusterLock} may change it.
 */
public final class Cluster {
  private static final Duration DEATH = Duration.ofSeconds(20);

  private final Distribution distribution;
  private final Layout layout;
  private final FlinkRest rest;
  private ClusterFile file;
  private boolean isRetired;

  private Cluster(Distribution distribution, Layout layout, ClusterFile file) {
    this.distribution = distribution;
    this.layout = layout;
    this.file = file;
    this.rest = new FlinkRest(file.ports().rest());
  }

  /**
   * Lays out a cluster in a directory that has none.
   *
   * @param kafkaPort 0 to choose a free one
   * @param restPort 0 to choose a free one
   */
  public static Cluster create(
      Distribution distribution, Layout layout, Plan plan, int kafkaPort, int restPort) {
    if (Files.exists(layout.file())) {
      throw new ClusterException(layout.directory() + " has a cluster already");
    }
    layout.create();
    Ports ports = Ports.choose(layout.directory(), kafkaPort, restPort);
    Member.all(plan.taskManagers()).forEach(ports::requireFree);
    ClusterFile file = ClusterFile.of(plan, ports);
    file.write(layout);
    return new Cluster(distribution, layout, file);
  }

  /** Opens the cluster of a directory, if there is one. */
  public static Optional<Cluster> open(Distribution distribution, Layout layout) {
    return ClusterFile.read(layout).map(file -> new Cluster(distribution, layout, file));
  }

  public Distribution distribution() {
    return distribution;
  }

  public Layout layout() {
    return layout;
  }

  public FlinkRest rest() {
    return rest;
  }

  public synchronized ClusterFile file() {
    return file;
  }

  public List<Member> members() {
    return Member.all(file().plan().taskManagers());
  }

  /** Returns the address for Kafka clients. */
  public String bootstrapServers() {
    return file().ports().bootstrapServers();
  }

  /** Returns the options that the job is submitted with: the file's and those that come over it. */
  public JobConfig jobConfig() {
    Configuration given = ConfigFile.read(Path.of(file().plan().config()));
    jobSettings().forEach(given::setString);
    return JobConfig.from(given);
  }

  Map<String, String> jobSettings() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("kafka.bootstrap.servers", bootstrapServers());
    settings.put("equipoise.specs", file().plan().specs());
    settings.putAll(file().plan().jobSettings());
    return settings;
  }

  /** Returns the living process of a member. */
  public Optional<ProcessHandle> handle(Member member) {
    return file().process(member).flatMap(Started::handle);
  }

  public boolean isAlive(Member member) {
    return handle(member).isPresent();
  }

  /** Starts a member unless it lives; says whether it did. Returns before the member is ready. */
  public synchronized boolean start(Member member) {
    if (isRetired || isAlive(member)) {
      return false;
    }
    file.ports().requireFree(member);
    FlinkArguments flink = new FlinkArguments(distribution, layout, file.plan(), file.ports());
    ServerArguments server = new ServerArguments(distribution, layout, file.plan(), file.ports());
    List<String> arguments =
        switch (member.kind()) {
          case ZOOKEEPER -> server.zookeeper();
          case KAFKA -> server.kafka();
          case JOBMANAGER -> flink.jobManager();
          case TASKMANAGER -> flink.taskManager(member);
        };
    ProcessStart start = new ProcessStart(distribution, layout);
    save(file.with(start.member(member.name(), arguments)));
    return true;
  }

  /** Starts nothing from now on, whoever asks. */
  public synchronized void retire() {
    isRetired = true;
  }

  /** Ends a member at once, as {@code kill -9}; says whether it lived. */
  public boolean kill(Member member) {
    Optional<ProcessHandle> handle = handle(member);
    handle.ifPresent(process -> end(member, process, true));
    return handle.isPresent();
  }

  /** Ends a member in good order, or at once if it takes longer than {@link #DEATH}. */
  void end(Member member) {
    handle(member).ifPresent(process -> end(member, process, false));
    synchronized (this) {
      file.process(member).ifPresent(process -> save(file.without(process)));
    }
  }

  private static void end(Member member, ProcessHandle process, boolean isAtOnce) {
    if (isAtOnce) {
      process.destroyForcibly();
    } else {
      process.destroy();
    }
    if (!hasEnded(process) && (isAtOnce || !process.destroyForcibly() || !hasEnded(process))) {
      throw new ClusterException(
          member.name() + " (pid " + process.pid() + ") does not end; end it by hand");
    }
  }

  private static boolean hasEnded(ProcessHandle process) {
    try {
      process.onExit().get(DEATH.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while pid " + process.pid() + " ends", e);
    }
  }

  /** Submits the distribution's job jar by Flink's own command. */
  public void submit(@Nullable String savepoint) {
    submit(distribution.jobJar(), savepoint);
  }

  /** Submits a job jar by Flink's own command. */
  public void submit(Path jar, @Nullable String savepoint) {
    ClusterFile now = file();
    FlinkArguments flink = new FlinkArguments(distribution, layout, now.plan(), now.ports());
    new JobSubmission(new ProcessStart(distribution, layout), layout, flink)
        .submit(now, jar, jobSettings(), savepoint);
    rememberSavepoint(null);
  }

  /** Keeps where the job goes on from; null if it needs no such place. */
  public synchronized void rememberSavepoint(@Nullable String path) {
    save(file.withSavepoint(path));
  }

  /** Changes what the cluster is asked to be, for what is started from now on. */
  public synchronized void replan(Plan plan) {
    save(file.withPlan(plan));
  }

  private void save(ClusterFile changed) {
    changed.write(layout);
    file = changed;
  }
}
