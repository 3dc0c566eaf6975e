package io.equipoise.local.cluster;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Where things are in a cluster's directory.
 *
 * <pre>
 *   cluster.json      plan, ports, processes: what status and down go by
 *   lock              held while a command changes the cluster
 *   logs/NAME.log     what a process prints, appended over restarts
 *   run/              arguments and settings that processes are started with
 *   kafka/ zookeeper/ data
 *   flink/            checkpoints, savepoints, high availability, temporary files
 * </pre>
 *
 * @param directory absolute
 */
public record Layout(Path directory) {
  public Layout {
    directory = directory.toAbsolutePath().normalize();
  }

  Path file() {
    return directory.resolve("cluster.json");
  }

  Path lock() {
    return directory.resolve("lock");
  }

  public Path log(String name) {
    return directory.resolve("logs").resolve(name + ".log");
  }

  Path run(String file) {
    return directory.resolve("run").resolve(file);
  }

  /** Returns the file of settings that the broker takes over its own, if it is there. */
  public Path brokerOverrides() {
    return run("kafka-overrides.properties");
  }

  Path kafka() {
    return directory.resolve("kafka");
  }

  Path zookeeper() {
    return directory.resolve("zookeeper");
  }

  public Path checkpoints() {
    return directory.resolve("flink/checkpoints");
  }

  public Path savepoints() {
    return directory.resolve("flink/savepoints");
  }

  /** Returns where specs are kept that are the cluster's own. */
  public Path specs() {
    return directory.resolve("specs");
  }

  Path highAvailability() {
    return directory.resolve("flink/ha");
  }

  Path temporary() {
    return directory.resolve("flink/tmp");
  }

  Path uploads() {
    return directory.resolve("flink/web");
  }

  /**
   * Makes the directories that are missing, for this user only: they hold job state and settings.
   *
   * @throws ClusterException if another user owns or may write the directory
   */
  void create() {
    check();
    try {
      for (Path path :
          new Path[] {
            log("any").getParent(),
            run("any").getParent(),
            kafka(),
            zookeeper(),
            checkpoints(),
            savepoints(),
            highAvailability(),
            temporary(),
            uploads()
          }) {
        OwnerOnly.directory(path);
      }
    } catch (IOException e) {
      throw new ClusterException(
          "cannot make " + e.getMessage() + "; name a directory that can be written with --dir", e);
    }
  }

  /** Refuses what another user could have written: processes are started and ended as it says. */
  void check() {
    OwnerOnly.check(directory, file(), directory.resolve("run"));
  }
}
