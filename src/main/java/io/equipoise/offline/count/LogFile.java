package io.equipoise.offline.count;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** Locates the source of logged rows. */
public sealed interface LogFile {
  /**
   * Returns whether a file contains segment events rather than comma-separated values, by its name.
   */
  static boolean isAvro(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".avro");
  }

  /**
   * Reads files: .avro files contain segment events, in a container or as consecutive frames;
   * others contain comma-separated values.
   */
  record Files(List<Path> files) implements LogFile {
    public Files {
      files = List.copyOf(files);
    }
  }

  /**
   * Reads a segment-events topic between offsets.
   *
   * @param kafka client settings, including bootstrap.servers
   * @param from first offset by partition; by default the earliest
   * @param to end offset by partition, exclusive; by default the current end
   */
  record Topic(Properties kafka, String name, Map<Integer, Long> from, Map<Integer, Long> to)
      implements LogFile {
    public Topic {
      from = Map.copyOf(from);
      to = Map.copyOf(to);
    }
  }
}
