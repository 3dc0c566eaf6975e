package io.equipoise.offline.bounds;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a set of causal bounds as one JSON object per line, atomically. */
public final class BoundsFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  private BoundsFile() {}

  /** Writes to a temporary file in the same directory and renames it. */
  public static void write(CausalBoundSet set, Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    Path draft = Files.createTempFile(directory, String.valueOf(file.getFileName()), ".part");
    try {
      try (BufferedWriter out = Files.newBufferedWriter(draft)) {
        for (CausalBound row : set.rows()) {
          out.write(JSON.writeValueAsString(row));
          out.write('\n');
        }
      }
      move(draft, file);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static void move(Path draft, Path file) throws IOException {
    try {
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
