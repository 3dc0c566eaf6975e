package io.equipoise.tools.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Identifies one process of the cluster.
 *
 * @param number from 1; only task managers have several
 */
public record ClusterProcess(Kind kind, int number) {
  public static final ClusterProcess ZOOKEEPER = new ClusterProcess(Kind.ZOOKEEPER, 1);
  public static final ClusterProcess KAFKA = new ClusterProcess(Kind.KAFKA, 1);
  public static final ClusterProcess JOB_MANAGER = new ClusterProcess(Kind.JOBMANAGER, 1);

  public static final ClusterProcess GATEWAY = new ClusterProcess(Kind.GATEWAY, 1);
  public static final ClusterProcess CONSOLE = new ClusterProcess(Kind.CONSOLE, 1);

  /** Names the role of a process. */
  public enum Kind {
    ZOOKEEPER,
    KAFKA,
    JOBMANAGER,
    TASKMANAGER,
    GATEWAY,
    CONSOLE
  }

  public static ClusterProcess taskManager(int number) {
    return new ClusterProcess(Kind.TASKMANAGER, number);
  }

  /** Returns whether it serves the topics of the job, and so starts after the job made them. */
  boolean servesTopics() {
    return kind == Kind.GATEWAY || kind == Kind.CONSOLE;
  }

  /** Returns whether it ends before the brokers do. */
  boolean needsBrokers() {
    return kind != Kind.ZOOKEEPER && kind != Kind.KAFKA;
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
    return kind == Kind.TASKMANAGER ? name + "-" + number : name;
  }
}
