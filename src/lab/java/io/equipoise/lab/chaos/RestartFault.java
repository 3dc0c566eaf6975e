package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.Plan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * Stops the job with a savepoint, without draining, and starts it from there: with another
 * parallelism, or from another jar. Recovery counts from the stop.
 *
 * @param isRescaled whether parallelism changes from one to two and back; otherwise the jar changes
 */
record RestartFault(String name, boolean isRescaled) implements Fault {
  @Override
  public FaultEffect inject(ChaosContext context) {
    Cluster cluster = context.cluster();
    String savepoint = context.stopJob();
    long stopped = System.nanoTime();
    if (isRescaled) {
      rescale(cluster, savepoint);
    } else {
      cluster.submit(newer(cluster), savepoint);
    }
    return FaultEffect.at(stopped);
  }

  /** Starts the job from a savepoint with the greatest parallelism, or with 1 if it has that. */
  static void rescale(Cluster cluster, String savepoint) {
    Plan plan = cluster.file().plan();
    int most = plan.slots();
    cluster.replan(plan.withParallelism(plan.parallelism() == most ? 1 : most));
    cluster.submit(savepoint);
  }

  /** Creates a jar with other bytes, which Flink treats as other classes. */
  private static Path newer(Cluster cluster) {
    Path jar = cluster.layout().directory().resolve("newer-job.jar");
    try {
      Files.copy(cluster.distribution().jobJar(), jar, StandardCopyOption.REPLACE_EXISTING);
      try (FileSystem inside =
          FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of())) {
        Files.write(
            inside.getPath("/META-INF/newer.txt"),
            Long.toString(System.nanoTime()).getBytes(StandardCharsets.UTF_8));
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + jar, e);
    }
  }
}
