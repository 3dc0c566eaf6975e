package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.ClusterLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes the versions of a spec whose arms change. */
interface ChangingSpec {
  /** Returns the name of the spec and of its only segment. */
  String segment();

  String text(int version);

  /** Writes a version of each spec into the cluster's directory of specs; returns the files. */
  static List<Path> writeAll(
      List<? extends ChangingSpec> specs, ClusterLayout clusterLayout, int version) {
    List<Path> written = new ArrayList<>();
    try {
      Files.createDirectories(clusterLayout.specs());
      for (ChangingSpec spec : specs) {
        Path file = clusterLayout.specs().resolve(spec.segment() + ".yaml");
        written.add(Files.writeString(file, spec.text(version)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + clusterLayout.specs(), e);
    }
    return written;
  }
}
