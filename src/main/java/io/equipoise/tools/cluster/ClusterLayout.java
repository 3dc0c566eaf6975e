package io.equipoise.tools.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds the files of a cluster in its directory.
 *
 * <pre>
 * cluster.json      plan, ports, processes: read by status and down
 * lock              held while a command changes the cluster
 * logs/NAME.log     output of a process, appended over restarts
 * run/              arguments and settings of the processes
 * kafka/ zookeeper/ data
 * flink/            checkpoints, savepoints, high availability, temporary files
 * </pre>
 *
 * @param directory absolute
 */
public record ClusterLayout(Path directory) {
  private static final int TAIL_LINES = 15;
  private static final int TAIL_BYTES = 16 << 10;

  public ClusterLayout {
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

  /** Returns the file of settings that override the broker's, if it exists. */
  public Path brokerOverrides() {
    return run("kafka-overrides.properties");
  }

  public Path kafka(ClusterProcess broker) {
    return directory.resolve(broker.name());
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

  /** Returns the directory of the cluster's own specs. */
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
   * Creates missing directories, accessible only to this user: they contain job state and settings.
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
            kafka(ClusterProcess.KAFKA),
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
          "cannot create " + e.getMessage() + "; name a writable directory with --dir", e);
    }
  }

  /** Rejects files that another user could have written: they determine the started processes. */
  void check() {
    OwnerOnly.check(directory, file(), directory.resolve("run"));
  }

  /** Returns the path of a log and its last lines, for messages. */
  public String logTail(String name) {
    Path log = log(name);
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long start = Math.max(0, file.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) (file.length() - start)];
      file.seek(start);
      file.readFully(bytes);
      List<String> lines =
          new String(bytes, StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("\tat ")) // frames hide what failed
              .toList();
      List<String> last = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
      return log + " ends with:\n  " + String.join("\n  ", last);
    } catch (IOException e) {
      return log + " cannot be read: " + e.getMessage();
    }
  }
}
