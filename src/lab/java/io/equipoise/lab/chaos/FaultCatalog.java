package io.equipoise.lab.chaos;

import io.equipoise.lab.chaos.RefusedStartFault.Kind;
import io.equipoise.lab.chaos.StorageFault.Storage;
import io.equipoise.tools.cluster.ClusterProcess;
import io.equipoise.tools.cluster.ClusterProcess.ProcessKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Lists every kind of fault in the order of injection. */
final class FaultCatalog {
  /** Longer than {@code heartbeat.timeout} and ZooKeeper's session in {@code conf/config.yaml}. */
  private static final Duration FREEZE = Duration.ofSeconds(20);

  /** Longer than a checkpoint and the abort of a transaction may take together. */
  private static final Duration SILENCE = Duration.ofSeconds(150);

  /** Little shorter than the default of {@code equipoise.max-outage}. */
  private static final Duration LONG_SILENCE = Duration.ofMinutes(8);

  /** As much as {@code equipoise.time.max-clock-skew} allows by default. */
  private static final Duration CLOCK_ERROR = Duration.ofMinutes(10);

  /** Without transactions and input, only its missing state shows that a start is a second one. */
  private static final String ANOTHER_JOB = "another job of deployment|has a history";

  static final List<Fault> ALL =
      List.of(
          new KillFault("kill-taskmanager", ChaosContext::workingTaskManager, 15),
          new KillFault("kill-jobmanager", any(ProcessKind.JOBMANAGER), 20),
          new KillFault("kill-broker", any(ProcessKind.KAFKA), 15),
          new KillFault("kill-zookeeper", context -> ClusterProcess.ZOOKEEPER, 15),
          new KillFault("kill-gateway", any(ProcessKind.GATEWAY), 15),
          new FreezeFault("freeze-taskmanager", ChaosContext::workingTaskManager, FREEZE, true),
          new FreezeFault("freeze-jobmanager", any(ProcessKind.JOBMANAGER), FREEZE, false),
          new FreezeFault("freeze-broker", any(ProcessKind.KAFKA), FREEZE, false),
          new FreezeFault("silent-brokers", any(ProcessKind.KAFKA), SILENCE, false),
          new FreezeFault("silent-brokers-long", any(ProcessKind.KAFKA), LONG_SILENCE, false),
          new SilentRunFault("silent-brokers-of-run", SILENCE),
          new SilentRunFault("silent-brokers-of-run-long", LONG_SILENCE),
          new QuietFault(),
          new PowerLossFault(),
          new PartitionFault("partition", false),
          new PartitionFault("one-way", true),
          new CutLeaderFault(),
          new PacketFault("loss", true),
          new PacketFault("delay", false),
          new RestartFault("rescale", true),
          new RestartFault("upgrade", false),
          new StorageFault("full-disk", Storage.CHECKPOINTS, false),
          new StorageFault("hang-checkpoint-storage", Storage.CHECKPOINTS, true),
          new StorageFault("full-broker-disk", Storage.BROKER, false),
          new ClockFault("clock-ahead", false, CLOCK_ERROR),
          new ClockFault("clock-behind", false, CLOCK_ERROR.negated()),
          new ClockFault(
              "clock-jump", true, CLOCK_ERROR, Duration.ZERO, CLOCK_ERROR.negated(), Duration.ZERO),
          new ExpiryFault(),
          new SlowConsumerFault(),
          new PartitionsFault("add-partitions", false),
          new PartitionsFault("add-partitions-and-rescale", true),
          new SpecChangesFault(),
          new OutageFault(),
          new RefusedStartFault("twin-job", Kind.SECOND_JOB, ANOTHER_JOB, false),
          new RefusedStartFault("twin-job-idle", Kind.SECOND_JOB, ANOTHER_JOB, true),
          new RefusedStartFault(
              "old-savepoint", Kind.OLD_SAVEPOINT, "is older than the topics of deployment", false),
          new RefusedStartFault(
              "foreign-savepoint", Kind.FOREIGN_SAVEPOINT, "the restored state", false),
          new RefusedStartFault(
              "replaced-contexts", Kind.REPLACED_CONTEXTS, "is not the topic that", false));

  private FaultCatalog() {}

  /** Finds a kind by its name. */
  static Fault named(String name) {
    return ALL.stream()
        .filter(fault -> fault.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown fault " + name + "; use " + names(any -> true)));
  }

  static String names(Predicate<Fault> wanted) {
    return ALL.stream().filter(wanted).map(Fault::name).collect(Collectors.joining(", "));
  }

  private static Function<ChaosContext, ClusterProcess> any(ProcessKind kind) {
    return context -> context.member(kind);
  }

  /**
   * Kills a process, as by {@code kill -9}; the supervisor restarts it.
   *
   * @param victim selected again each time
   * @param seconds longest time that a context sent after it may wait
   */
  record KillFault(String name, Function<ChaosContext, ClusterProcess> victim, long seconds)
      implements Fault {
    @Override
    public boolean worksOnHosts() {
      return true;
    }

    @Override
    public Optional<Duration> budget() {
      return Optional.of(Duration.ofSeconds(seconds));
    }

    @Override
    public FaultEffect inject(ChaosContext context) {
      ClusterProcess clusterProcess = victim.apply(context);
      long now = System.nanoTime();
      context.cluster().kill(clusterProcess);
      return FaultEffect.at(now);
    }
  }

  /**
   * Freezes a process for longer than its timeouts and resumes it: others have taken over its work,
   * which it still believes to own.
   *
   * @param freeze longer than the heartbeat and session timeouts
   * @param isReplaceable whether the others continue without it, so that recovery counts from its
   *     freeze
   */
  record FreezeFault(
      String name,
      Function<ChaosContext, ClusterProcess> victim,
      Duration freeze,
      boolean isReplaceable)
      implements Fault {
    @Override
    public boolean worksOnHosts() {
      return true;
    }

    @Override
    public FaultEffect inject(ChaosContext context) throws InterruptedException {
      ClusterProcess clusterProcess = victim.apply(context);
      long frozen = System.nanoTime();
      context.signal(clusterProcess, "STOP");
      try {
        Thread.sleep(freeze.toMillis());
      } finally {
        context.signal(clusterProcess, "CONT");
      }
      return FaultEffect.at(isReplaceable ? frozen : System.nanoTime());
    }
  }

  /** Only passes a minute of load. */
  record QuietFault() implements Fault {
    @Override
    public String name() {
      return "quiet";
    }

    @Override
    public boolean worksOnHosts() {
      return true;
    }

    @Override
    public FaultEffect inject(ChaosContext context) throws InterruptedException {
      Thread.sleep(Duration.ofMinutes(1).toMillis());
      return FaultEffect.at(System.nanoTime());
    }
  }

  /** A kind of fault and its number of injections. */
  record Injection(Fault fault, int times) {
    /**
     * Parses {@code NAME} or {@code NAME:COUNT}.
     *
     * @throws IllegalArgumentException with the allowed values
     */
    static Injection parse(String text) {
      String[] parts = text.split(":", 2);
      Fault fault = named(parts[0]);
      if (parts.length == 1) {
        return new Injection(fault, 1);
      }
      if (!parts[1].matches("[1-9]\\d{0,5}")) {
        throw new IllegalArgumentException(
            "the count in " + text + " must be a number from 1 to 999999");
      }
      return new Injection(fault, Integer.parseInt(parts[1]));
    }
  }
}
