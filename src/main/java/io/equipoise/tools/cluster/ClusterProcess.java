package io.equipoise.tools.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Identifies one process of the cluster.
 *
 * @param number from 1; only task managers have several, unless each member has a host of its own
 */
public record ClusterProcess(ProcessKind kind, int number) {
  public static final ClusterProcess ZOOKEEPER = new ClusterProcess(ProcessKind.ZOOKEEPER, 1);
  public static final ClusterProcess KAFKA = new ClusterProcess(ProcessKind.KAFKA, 1);
  public static final ClusterProcess JOB_MANAGER = new ClusterProcess(ProcessKind.JOBMANAGER, 1);

  public static final ClusterProcess GATEWAY = new ClusterProcess(ProcessKind.GATEWAY, 1);
  public static final ClusterProcess CONSOLE = new ClusterProcess(ProcessKind.CONSOLE, 1);

  /** Names the role of a process. */
  public enum ProcessKind {
    ZOOKEEPER,
    KAFKA,
    JOBMANAGER,
    TASKMANAGER,
    GATEWAY,
    CONSOLE
  }

  public static ClusterProcess taskManager(int number) {
    return new ClusterProcess(ProcessKind.TASKMANAGER, number);
  }

  /** Returns whether it serves the topics of the job, and so starts after the job made them. */
  boolean servesTopics() {
    return kind == ProcessKind.GATEWAY || kind == ProcessKind.CONSOLE;
  }

  /** Returns whether it ends before the brokers do. */
  boolean needsBrokers() {
    return kind != ProcessKind.ZOOKEEPER && kind != ProcessKind.KAFKA;
  }

  /** Returns the members of a cluster in start order. */
  static List<ClusterProcess> all(int taskManagers, boolean hasConsole) {
    List<ClusterProcess> all = new ArrayList<>(List.of(ZOOKEEPER, KAFKA, JOB_MANAGER));
    for (int number = 1; number <= taskManagers; number++) {
      all.add(taskManager(number));
    }
    all.add(GATEWAY);
    if (hasConsole) {
      all.add(CONSOLE);
    }
    return all;
  }

  /** Returns the name of the process's log, and its resource id in Flink. */
  public String name() {
    String name = kind.name().toLowerCase(Locale.ROOT);
    return kind == ProcessKind.TASKMANAGER || number > 1 ? name + "-" + number : name;
  }
}
