package io.equipoise.offline.count;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Selects a piece of a file: the records that begin at bytes from {@code from}, inclusive, to
 * {@code to}, exclusive.
 *
 * @param number index of the file, in the given order
 */
record Chunk(int number, String file, long from, long to) implements Serializable {
  private static final long BYTES = 16L << 20;

  boolean isAvro() {
    return LogFile.isAvro(Path.of(file));
  }

  /** Splits files into pieces of about {@value #BYTES} bytes. */
  static List<Chunk> of(List<Path> files) throws IOException {
    List<Chunk> chunks = new ArrayList<>();
    for (int number = 0; number < files.size(); number++) {
      long size = Files.size(files.get(number));
      for (long from = 0; from < size; from += BYTES) {
        String file = files.get(number).toString();
        chunks.add(new Chunk(number, file, from, Math.min(size, from + BYTES)));
      }
    }
    return chunks;
  }
}
