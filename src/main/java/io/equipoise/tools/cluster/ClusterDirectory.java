package io.equipoise.tools.cluster;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Selects the cluster by an option. */
public final class ClusterDirectory {
  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "equipoise-cluster",
      description = "The cluster's directory. Default: ${DEFAULT-VALUE}.")
  private Path directory = Path.of("equipoise-cluster");

  ClusterLayout layout() {
    return new ClusterLayout(directory);
  }

  /**
   * Opens the cluster.
   *
   * @throws ClusterException if it does not exist
   */
  public Cluster open() {
    ClusterLayout clusterLayout = layout();
    return Cluster.open(Distribution.ofThisProcess(), clusterLayout)
        .orElseThrow(
            () ->
                new ClusterException(
                    "there is no cluster in "
                        + clusterLayout.directory()
                        + "; create one with equipoise cluster up, or name another with --dir"));
  }
}
