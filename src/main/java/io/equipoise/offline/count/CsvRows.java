package io.equipoise.offline.count;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.CsvFile;
import io.equipoise.cli.Lines;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a CSV file: a header of variables, then a line for each row. Ignores other
 * columns. Values may be quoted, without line ends.
 *
 * <p>State: {@code levels} and {@code weight} are those of the line that was parsed last, and
 * {@code isIncomplete} whether its mean or weight is missing; the next line overwrites them.
 */
final class CsvRows {
  private final CountLayout countLayout;
  private final List<String> heading;

  /** The variable index of each column, or one of the four constants below. */
  private final int[] target;

  private static final int UNUSED = -1;
  private static final int FLAG = -2;
  private static final int WEIGHT = -3;
  private static final int MEAN = -4;

  /** Largest weight of a row, so that sums of nine billion of them are exact. */
  private static final long GREATEST_WEIGHT = 1_000_000_000;

  private final Dictionary[] dictionaries;
  private final int[] levels;
  private long weight = 1;
  private boolean isIncomplete;

  private CsvRows(CountLayout countLayout, Path file, List<String> heading) {
    this.countLayout = countLayout;
    this.heading = heading;
    target = new int[heading.size()];
    Arrays.fill(target, UNUSED);
    List<String> missing = new ArrayList<>();
    for (int place = 0; place < countLayout.variables().size(); place++) {
      int column = heading.indexOf(countLayout.variables().get(place).name());
      if (column < 0) {
        missing.add(countLayout.variables().get(place).name());
      } else {
        target[column] = place == countLayout.mean() ? MEAN : place;
      }
    }
    if (!missing.isEmpty()) {
      throw new DistributionException(
          file + ", line 1: no column " + missing + " in " + heading + "; each needs a column");
    }
    int flag = countLayout.flag() == null ? UNUSED : heading.indexOf(countLayout.flag());
    if (flag >= 0) {
      target[flag] = FLAG;
    }
    if (countLayout.weight() != null) {
      int column = heading.indexOf(countLayout.weight());
      if (column < 0) {
        throw new DistributionException(
            file
                + ", line 1: no column "
                + countLayout.weight()
                + " in "
                + heading
                + " for the weights");
      }
      target[column] = WEIGHT;
    }
    levels = new int[countLayout.variables().size()];
    dictionaries = countLayout.variables().stream().map(Dictionary::new).toArray(Dictionary[]::new);
  }

  /** Reads the header; rejects a missing variable. */
  static CsvRows of(CountLayout countLayout, Path file) throws IOException {
    return new CsvRows(countLayout, file, CsvFile.heading(file));
  }

  /** Reads a chunk up to its end or its first error; returns the number of rows. */
  long read(Chunk chunk, RowSink sink) throws IOException {
    long rows = 0;
    try (RandomAccessFile file = new RandomAccessFile(chunk.file(), "r")) {
      Lines lines = new Lines(file, chunk.from(), CsvFile.LONGEST_LINE);
      if (!lines.next() && chunk.from() == 0) {
        return 0;
      }
      while (lines.start() < chunk.to() && lines.next()) {
        if (lines.lineStart() >= chunk.to()) {
          break;
        }
        if (lines.isBlank()) {
          continue;
        }
        isIncomplete = false;
        String fault = row(lines);
        if (fault != null) {
          sink.fault(chunk.number(), lines.lineStart(), fault);
          return rows;
        }
        if (isIncomplete) {
          levels[0] = countLayout.variables().get(0).missing();
        }
        if (weight > 0) {
          sink.add(levels, weight);
        }
        rows++;
      }
    }
    return rows;
  }

  /** Parses the line into levels; returns the error, or null. */
  private @Nullable String row(Lines line) {
    byte[] bytes = line.bytes();
    int end = line.to();
    if (line.isTooLong()) {
      return "is longer than " + CsvFile.LONGEST_LINE + " bytes";
    }
    if (!line.isPlain()) {
      return unusual(line);
    }
    int column = 0;
    int from = line.from();
    for (int i = from; i <= end; i++) {
      if (i < end && bytes[i] != ',') {
        continue;
      }
      if (column < target.length && target[column] != UNUSED) {
        int level = target[column] < 0 ? FLAG : dictionary(column).level(bytes, from, i);
        String fault =
            level >= 0
                ? null
                : slow(column, new String(bytes, from, i - from, StandardCharsets.UTF_8).strip());
        if (fault != null) {
          return fault;
        }
        if (level >= 0) {
          levels[target[column]] = level;
        }
      }
      column++;
      from = i + 1;
    }
    return column == target.length ? null : CsvFile.wrongLength(column, target.length);
  }

  private Dictionary dictionary(int column) {
    return dictionaries[target[column]];
  }

  /** Parses a line with quotes or other than ASCII characters. */
  private @Nullable String unusual(Lines line) {
    List<String> fields;
    try {
      fields = CsvFile.fields(line.bytes(), line.from(), line.to());
    } catch (DistributionException e) {
      return String.valueOf(e.getMessage());
    }
    if (fields.size() != target.length) {
      return CsvFile.wrongLength(fields.size(), target.length);
    }
    for (int column = 0; column < target.length; column++) {
      String fault = target[column] == UNUSED ? null : slow(column, fields.get(column));
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  /** Returns a weight, or -1 if the text is invalid. */
  private static long weight(String text) {
    if (text.isEmpty()
        || text.length() > 10
        || !text.chars().allMatch(it -> it >= '0' && it <= '9')) {
      return -1;
    }
    long weight = Long.parseLong(text);
    return weight > GREATEST_WEIGHT ? -1 : weight;
  }

  /** Parses a value that is not simply a level; returns the error, or null. */
  private @Nullable String slow(int column, String text) {
    String name = heading.get(column);
    boolean isMean = target[column] == MEAN;
    if ((isMean || target[column] == WEIGHT)
        && CsvFile.isMissing(text)
        && countLayout.variables().get(0).missing() >= 0) {
      isIncomplete = true;
      weight = isMean ? weight : 1;
      return null;
    }
    if (target[column] == FLAG) {
      return text.equals("1")
          ? null
          : name
              + " is "
              + (text.isEmpty() ? "missing" : text)
              + ", but a log of selected rows contains only 1; remove the row";
    }
    if (target[column] == WEIGHT) {
      weight = weight(text);
      return weight >= 0
          ? null
          : name + " is " + text + "; a weight must be a whole number from 0 to " + GREATEST_WEIGHT;
    }
    int place = isMean ? countLayout.mean() : target[column];
    CountedVariable variable = countLayout.variables().get(place);
    int level = isMean ? variable.share(text) : variable.level(text);
    if (level < 0 && CsvFile.isMissing(text)) {
      level = variable.missing();
    }
    if (level < 0 && CsvFile.isMissing(text)) {
      return "no value of "
          + name
          + "; missing values are rarely random, so the row cannot be skipped";
    }
    if (level < 0) {
      return name + " is " + text + "; " + (isMean ? variable.allowedMean() : variable.allowed());
    }
    levels[place] = level;
    return null;
  }

  /** Finds the level of a variable by its bytes, linearly, because there are few. */
  private static final class Dictionary {
    private static final byte[] NOTHING = {};

    private final byte[][] texts;

    Dictionary(CountedVariable variable) {
      texts = new byte[variable.size()][];
      for (int level = 0; level < texts.length; level++) {
        String text = variable.levels().get(level);
        boolean isItself = variable.level(text) == level;
        texts[level] = isItself ? text.getBytes(StandardCharsets.UTF_8) : NOTHING;
      }
    }

    /** Returns the level with these bytes, or -1. */
    int level(byte[] bytes, int from, int to) {
      for (int level = 0; level < texts.length; level++) {
        byte[] text = texts[level];
        if (text.length == to - from
            && to > from
            && Arrays.equals(text, 0, text.length, bytes, from, to)) {
          return level;
        }
      }
      return -1;
    }
  }
}
