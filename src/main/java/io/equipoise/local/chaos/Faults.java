package io.equipoise.local.chaos;

import io.equipoise.local.chaos.RefusedStartFault.Kind;
import io.equipoise.local.cluster.Member;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Every kind of fault, in the order in which they are best met. */
final class Faults {
  /** Longer than {@code heartbeat.timeout} and ZooKeeper's session in {@code conf/config.yaml}. */
  private static final Duration FREEZE = Duration.ofSeconds(20);

  static final List<Fault> ALL =
      List.of(
          new KillFault("kill-taskmanager", Theatre::workingTaskManager, 15),
          new KillFault("kill-jobmanager", theatre -> Member.JOB_MANAGER, 20),
          new KillFault("kill-broker", theatre -> Member.KAFKA, 15),
          new KillFault("kill-zookeeper", theatre -> Member.ZOOKEEPER, 15),
          new FreezeFault("freeze-taskmanager", Theatre::workingTaskManager, FREEZE, true),
          new FreezeFault("freeze-jobmanager", theatre -> Member.JOB_MANAGER, FREEZE, false),
          new FreezeFault("freeze-broker", theatre -> Member.KAFKA, FREEZE, false),
          new RestartFault("rescale", true),
          new RestartFault("upgrade", false),
          new FullDiskFault(),
          new HungStorageFault(),
          new ExpiryFault(),
          new SlowConsumerFault(),
          new PartitionsFault(),
          new OutageFault(),
          new RefusedStartFault("twin-job", Kind.SECOND_JOB, "another job of deployment"),
          new RefusedStartFault(
              "old-savepoint", Kind.OLD_SAVEPOINT, "is older than the topics of deployment"),
          new RefusedStartFault(
              "foreign-savepoint", Kind.FOREIGN_SAVEPOINT, "the state that is restored"));

  private Faults() {}

  /** Finds a kind by its name. */
  static Fault named(String name) {
    return ALL.stream()
        .filter(fault -> fault.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no fault " + name + "; there are " + names()));
  }

  static String names() {
    return ALL.stream().map(Fault::name).collect(Collectors.joining(", "));
  }
}
