package io.equipoise.offline.count;

import io.equipoise.causal.DistributionException;
import io.equipoise.offline.CsvLine;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads what the columns of a CSV file are called. */
public final class CsvHeading {
  private static final int LONGEST = 1 << 20;

  private CsvHeading() {}

  /**
   * Returns the names in the first line.
   *
   * @throws DistributionException if there are none
   */
  public static List<String> of(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
        line.write(b);
        if (line.size() > LONGEST) {
          throw new DistributionException(file + ", line 1: is longer than " + LONGEST);
        }
      }
      String text = line.toString(StandardCharsets.UTF_8);
      text = text.startsWith("\uFEFF") ? text.substring(1) : text;
      if (text.isBlank()) {
        throw new DistributionException(file + ": has no heading");
      }
      return CsvLine.fields(text);
    }
  }
}
