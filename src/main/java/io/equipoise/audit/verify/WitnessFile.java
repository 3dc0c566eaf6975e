package io.equipoise.audit.verify;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.cli.InputFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads the file of {@code audit observe} line by line. */
final class WitnessFile {
  private WitnessFile() {}

  /**
   * Passes every line in order. An incomplete last line is ignored.
   *
   * @throws InconclusiveException if the file has another format
   * @throws UncheckedIOException if the file cannot be read
   */
  static void read(Path file, Consumer<WitnessLine> to) {
    try (BufferedReader reader = Files.newBufferedReader(InputFile.regular(file))) {
      if (!WitnessLine.HEADER.equals(reader.readLine())) {
        throw new InconclusiveException(
            file
                + " does not begin with '"
                + WitnessLine.HEADER
                + "'; give a file of `audit observe`");
      }
      long number = 2;
      for (String text = reader.readLine(); text != null; number++) {
        String next = reader.readLine();
        WitnessLine line = WitnessLine.parse(text);
        if (line != null) {
          to.accept(line);
        } else if (next != null) {
          throw new InconclusiveException("line " + number + " of " + file + " is damaged");
        }
        text = next;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the witness file cannot be read", e);
    }
  }
}
