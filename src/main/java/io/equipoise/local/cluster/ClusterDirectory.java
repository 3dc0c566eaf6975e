package io.equipoise.local.cluster;

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

  Layout layout() {
    return new Layout(directory);
  }

  /** Opens the cluster that must be there. */
  Cluster open() {
    Layout layout = layout();
    return Cluster.open(Distribution.ofThisProcess(), layout)
        .orElseThrow(
            () ->
                new ClusterException(
                    "there is no cluster in "
                        + layout.directory()
                        + "; make one with equipoise cluster up, or name another with --dir"));
  }
}
