package io.equipoise.offline.count;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Formats the position of an error for the owner of the log. */
final class FaultPlace {
  private FaultPlace() {}

  /**
   * @param number index of the file or partition
   * @param place byte in the file, or offset
   */
  static String of(LogFile logFile, int number, long place) throws IOException {
    if (logFile instanceof LogFile.Topic topic) {
      return "topic " + topic.name() + ", partition " + number + ", offset " + place;
    }
    Path file = ((LogFile.Files) logFile).files().get(number);
    boolean isAvro = new Chunk(0, file.toString(), 0, 1).isAvro();
    return isAvro ? file + ", byte " + place : file + ", line " + line(file, place);
  }

  private static long line(Path file, long place) throws IOException {
    long line = 1;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      for (long at = 0; at < place; at++) {
        line += in.read() == '\n' ? 1 : 0;
      }
    }
    return line;
  }
}
