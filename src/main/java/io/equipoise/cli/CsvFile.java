package io.equipoise.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import io.equipoise.causal.DistributionException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a CSV file in UTF-8: a heading, then one row per line. Blank lines are ignored.
 *
 * <p>A value may be quoted as in RFC 4180, but must not contain a line end, because the counting
 * job splits files at line ends. White space around values is removed.
 */
public final class CsvFile implements AutoCloseable {
  private static final int LONGEST_HEADING = 1 << 20;
  private static final ObjectReader FIELDS =
      new CsvMapper().enable(CsvParser.Feature.TRIM_SPACES).readerFor(String[].class);

  private final Path file;
  private final BufferedReader in;
  private final List<String> heading;
  private int line = 1;

  private CsvFile(Path file, List<String> heading, BufferedReader in) {
    this.file = file;
    this.heading = heading;
    this.in = in;
  }

  /**
   * Opens a file and reads its heading.
   *
   * @throws DistributionException if there is no heading
   */
  public static CsvFile open(Path file) throws IOException {
    List<String> heading = heading(file);
    BufferedReader in = Files.newBufferedReader(file);
    in.readLine();
    return new CsvFile(file, heading, in);
  }

  /**
   * Returns the names in the first line, without a byte order mark.
   *
   * @throws DistributionException if there are none
   */
  public static List<String> heading(Path file) throws IOException {
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(LONGEST_HEADING + 1);
    }
    String text = new String(start, StandardCharsets.UTF_8);
    int end = text.indexOf('\n');
    if (end < 0 && start.length > LONGEST_HEADING) {
      throw new DistributionException(file + ", line 1: is longer than " + LONGEST_HEADING);
    }
    String first = end < 0 ? text : text.substring(0, end);
    first = first.startsWith("\uFEFF") ? first.substring(1) : first;
    if (first.isBlank()) {
      throw new DistributionException(file + ": has no heading");
    }
    return fields(first, file + ", line 1: ");
  }

  /**
   * Returns the values of one line.
   *
   * @throws DistributionException if a quote is not closed or not followed by a comma
   */
  public static List<String> fields(String line) {
    return fields(line, "");
  }

  private static List<String> fields(String line, String place) {
    try {
      String[] fields = FIELDS.readValue(line);
      return Arrays.stream(fields).map(String::strip).toList();
    } catch (JsonProcessingException e) {
      throw new DistributionException(place + e.getOriginalMessage(), e);
    }
  }

  public List<String> heading() {
    return heading;
  }

  /**
   * Returns the values of the next row; null at the end.
   *
   * @throws DistributionException if the line is not valid CSV
   */
  public @Nullable List<String> next() throws IOException {
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      line++;
      if (!text.isBlank()) {
        return fields(text, place());
      }
    }
    return null;
  }

  /** Returns the file and the line of the last row, the prefix of error messages. */
  public String place() {
    return file + ", line " + line + ": ";
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
