package io.equipoise.lab;

import io.equipoise.cli.CsvFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads UCI's {@code adult.data} (Becker and Kohavi 1996). */
public final class AdultData {
  public static final int AGE = 0;
  public static final int RACE = 8;
  public static final int SEX = 9;
  public static final int INCOME = 14;

  private AdultData() {}

  /** Returns the file, or {@code adult.data} in the directory. */
  public static Path file(Path directoryOrFile) {
    return Files.isDirectory(directoryOrFile)
        ? directoryOrFile.resolve("adult.data")
        : directoryOrFile;
  }

  /**
   * Returns the 15 fields of every person, without the periods of the test set.
   *
   * @throws IllegalArgumentException with file and line, if a line has another number of fields or
   *     a numeric field is no number
   */
  public static List<String[]> read(Path directoryOrFile, int... numeric) throws IOException {
    Path file = file(directoryOrFile);
    List<String[]> people = new ArrayList<>();
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank() && !lines.get(i).startsWith("|")) {
        people.add(fields(lines.get(i), file + ", line " + (i + 1), numeric));
      }
    }
    return people;
  }

  private static String[] fields(String line, String place, int... numeric) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    String[] fields = CsvFile.fields(bytes, 0, bytes.length).toArray(String[]::new);
    if (fields.length != INCOME + 1) {
      throw new IllegalArgumentException(
          place + ": " + fields.length + " fields instead of " + (INCOME + 1));
    }
    for (int field : numeric) {
      if (!fields[field].matches("[0-9]{1,6}")) {
        throw new IllegalArgumentException(
            place + ": field " + (field + 1) + " is " + fields[field] + ", not a number");
      }
    }
    fields[INCOME] = fields[INCOME].replace(".", "");
    return fields;
  }
}
