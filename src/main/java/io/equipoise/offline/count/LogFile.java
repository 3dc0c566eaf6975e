package io.equipoise.offline.count;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** Where logged rows are. */
public sealed interface LogFile {
  /** Says whether a file holds segment events rather than comma-separated values, by its name. */
  static boolean isAvro(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".avro");
  }

  /**
   * Files: those that end in .avro hold segment events, in a container or one frame after the
   * other, others comma-separated values.
   */
  record Files(List<Path> files) implements LogFile {
    public Files {
      files = List.copyOf(files);
    }
  }

  /**
   * a segment-events topic.
   *
   * @param kafka settings of the client, bootstrap.servers among them
   * @param from first offset of a partition; the earliest where it is not named
   * @param to offset at which to stop in a partition; the latest of now where it is not named
   */
  record Topic(Properties kafka, String name, Map<Integer, Long> from, Map<Integer, Long> to)
      implements LogFile {
    public Topic {
      from = Map.copyOf(from);
      to = Map.copyOf(to);
    }
  }
}
