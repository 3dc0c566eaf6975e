package io.equipoise.local.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One process of the cluster.
 *
 * @param number from 1; only task managers are several
 */
public record Member(Kind kind, int number) {
  public static final Member ZOOKEEPER = new Member(Kind.ZOOKEEPER, 1);
  public static final Member KAFKA = new Member(Kind.KAFKA, 1);
  public static final Member JOB_MANAGER = new Member(Kind.JOBMANAGER, 1);

  /** What a process does. */
  public enum Kind {
    ZOOKEEPER,
    KAFKA,
    JOBMANAGER,
    TASKMANAGER
  }

  public static Member taskManager(int number) {
    return new Member(Kind.TASKMANAGER, number);
  }

  /** Returns the members of a cluster in the order in which they start. */
  static List<Member> all(int taskManagers) {
    List<Member> all = new ArrayList<>(List.of(ZOOKEEPER, KAFKA, JOB_MANAGER));
    for (int number = 1; number <= taskManagers; number++) {
      all.add(taskManager(number));
    }
    return all;
  }

  /** Returns the name of the process's log, and its resource id at Flink. */
  public String name() {
    String name = kind.name().toLowerCase(Locale.ROOT);
    return kind == Kind.TASKMANAGER ? name + "-" + number : name;
  }
}
