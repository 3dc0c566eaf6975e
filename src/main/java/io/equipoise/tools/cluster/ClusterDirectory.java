package io.equipoise.tools.cluster;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that says which cluster is meant. */
final class ClusterDirectory {
  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "equipoise-cluster",
      description = "The cluster's directory. Default: ${DEFAULT-VALUE}.")
  private Path directory = Path.of("equipoise-cluster");

  ClusterLayout layout() {
    return new ClusterLayout(directory);
  }

  /** Opens the cluster that must be there. */
  Cluster open() {
    ClusterLayout clusterLayout = layout();
    return Cluster.open(Distribution.ofThisProcess(), clusterLayout)
        .orElseThrow(
            () ->
                new ClusterException(
                    "there is no cluster in "
                        + clusterLayout.directory()
                        + "; make one with equipoise cluster up, or name another with --dir"));
  }
}
