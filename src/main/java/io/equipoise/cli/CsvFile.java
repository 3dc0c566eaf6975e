package io.equipoise.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import io.equipoise.causal.DistributionException;
import io.equipoise.event.TextFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a CSV file in UTF-8: a heading, then one row per line. Every verb reads its tables here, so
 * that all accept and refuse the same: names in the heading are distinct, and only that of the
 * first column may be empty, as of the row numbers that pandas writes; every row has as many values
 * as the heading, and no value has a control character. Blank lines and a byte order mark are
 * ignored.
 *
 * <p>A value may be quoted as in RFC 4180, but must not contain a line end, because the counting
 * job splits files at line ends. White space around values is removed.
 *
 * <p>State: the position in the file and the number of the line that was read last, for {@link
 * #place}. Not thread-safe.
 */
public final class CsvFile implements AutoCloseable {
  /** Longest line in bytes. */
  public static final int LONGEST_LINE = 1 << 20;

  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final Set<String> MISSING = Set.of("", "na", "n/a", "nan", "null");
  private static final Set<String> DOUBTFUL = Set.of("?", "-", ".", "none", "unknown", "missing");
  private static final ObjectReader FIELDS =
      new CsvMapper().enable(CsvParser.Feature.TRIM_SPACES).readerFor(String[].class);

  private final Path file;
  private final RandomAccessFile in;
  private final Lines lines;
  private final List<String> heading;
  private int line;

  private CsvFile(Path file, RandomAccessFile in) throws IOException {
    this.file = file;
    this.in = in;
    lines = new Lines(in, 0, LONGEST_LINE);
    heading = checkedHeading();
  }

  /**
   * Opens a file and reads its heading.
   *
   * @throws DistributionException if there is no heading, a column has no name, or two have one
   */
  public static CsvFile open(Path file) throws IOException {
    RandomAccessFile in = new RandomAccessFile(TextFile.regular(file).toFile(), "r");
    try {
      return new CsvFile(file, in);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /**
   * Returns the names in the first line.
   *
   * @throws DistributionException as {@link #open}
   */
  public static List<String> heading(Path file) throws IOException {
    try (CsvFile csv = open(file)) {
      return csv.heading;
    }
  }

  /**
   * Returns the values of one line.
   *
   * @throws DistributionException if it is no UTF-8, has a control character, or a quote is not
   *     closed or not followed by a comma
   */
  public static List<String> fields(byte[] bytes, int from, int to) {
    String line = TextFile.decoded(bytes, from, to);
    if (line == null) {
      throw new DistributionException("bytes that are no UTF-8; save the file as UTF-8");
    }
    if (line.chars().anyMatch(Character::isISOControl)) {
      throw new DistributionException("a control character; only commas separate values");
    }
    List<String> fields = new ArrayList<>();
    try {
      for (String field : FIELDS.<String[]>readValue(line)) {
        fields.add(field.strip());
      }
    } catch (JsonProcessingException e) {
      throw new DistributionException("a quote is not closed, or no comma follows it", e);
    }
    return fields;
  }

  /** Returns whether a value means that there is none: an empty one, NA, N/A, NaN or null. */
  public static boolean isMissing(String value) {
    return MISSING.contains(value.toLowerCase(Locale.ROOT));
  }

  /** Returns whether a value that is not missing may mean that there is none, such as ?. */
  public static boolean isDoubtful(String value) {
    return DOUBTFUL.contains(value.toLowerCase(Locale.ROOT));
  }

  /** Returns the error of a row with so many values. */
  public static String wrongLength(int values, int columns) {
    return values + " values, but the heading has " + columns;
  }

  public List<String> heading() {
    return heading;
  }

  private List<String> checkedHeading() throws IOException {
    line = 1;
    boolean isFound = lines.next();
    boolean hasMark =
        isFound && Arrays.equals(lines.bytes(), 0, Math.min(3, lines.to()), MARK, 0, MARK.length);
    int from = hasMark ? MARK.length : 0;
    if (!isFound || lines.isBlank(from)) {
      throw new DistributionException(
          place() + "the heading is empty; begin the file with the names of its columns");
    }
    String text = TextFile.decoded(lines.bytes(), from, lines.to());
    if (text != null && text.contains(";") && !text.contains(",")) {
      throw new DistributionException(
          place()
              + "semicolons separate the names; write commas between names and between values, and points in numbers");
    }
    List<String> names = fields(from);
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (name.isEmpty() && !seen.isEmpty()) {
        throw new DistributionException(
            "%scolumn %d has no name; give it one, or remove it and the comma before it"
                .formatted(place(), seen.size() + 1));
      }
      if (!seen.add(name)) {
        throw new DistributionException(place() + "duplicate column \"" + name + "\"");
      }
    }
    return List.copyOf(names);
  }

  private List<String> fields(int from) {
    if (lines.isTooLong()) {
      throw new DistributionException(place() + "is longer than " + LONGEST_LINE + " bytes");
    }
    try {
      return fields(lines.bytes(), from, lines.to());
    } catch (DistributionException e) {
      throw new DistributionException(place() + e.getMessage(), e);
    }
  }

  /**
   * Returns the values of the next row, as many as the heading has; null at the end.
   *
   * @throws DistributionException if the line is not valid CSV
   */
  public @Nullable List<String> next() throws IOException {
    while (lines.next()) {
      line++;
      if (!lines.isBlank()) {
        List<String> fields = fields(lines.from());
        if (fields.size() != heading.size()) {
          throw new DistributionException(place() + wrongLength(fields.size(), heading.size()));
        }
        return fields;
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
