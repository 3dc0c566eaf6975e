package io.equipoise.local.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The last lines of a log, for messages. */
public final class LogTail {
  private static final int LINES = 15;
  private static final int BYTES = 16 << 10;

  private LogTail() {}

  /** Returns the name of a log and its last lines. */
  public static String of(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long start = Math.max(0, file.length() - BYTES);
      byte[] bytes = new byte[(int) (file.length() - start)];
      file.seek(start);
      file.readFully(bytes);
      List<String> lines =
          new String(bytes, StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("\tat ")) // frames hide what failed
              .toList();
      List<String> last = lines.subList(Math.max(0, lines.size() - LINES), lines.size());
      return log + " ends with:\n  " + String.join("\n  ", last);
    } catch (IOException e) {
      return log + " cannot be read: " + e.getMessage();
    }
  }
}
