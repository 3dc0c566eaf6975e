package io.equipoise.lab.chaos;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Copies of specs with frequent metrics: the auditor compares its replay with every snapshot, and
 * the shipped specs write one per thousand decisions.
 */
final class WatchedSpecs {
  private static final Pattern METRICS = Pattern.compile("(?m)^metrics:.*\\R?");
  private static final String OFTEN = "metrics: {every: 20}\n";

  private WatchedSpecs() {}

  /** Writes a copy of every spec of a file or directory into another directory. */
  static void write(Path specs, Path directory) {
    try {
      Files.createDirectories(directory);
      for (SegmentSpec spec : SpecFiles.load(specs)) {
        Files.writeString(directory.resolve(spec.name() + ".yaml"), often(spec.text()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot copy the specs to " + directory, e);
    }
  }

  private static String often(String text) {
    String bare = METRICS.matcher(text).replaceAll("");
    return (bare.endsWith("\n") ? bare : bare + "\n") + OFTEN;
  }
}
