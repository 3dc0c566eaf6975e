package io.equipoise.offline.decompose;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.Variable;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.cli.CsvFile;
import io.equipoise.event.Counted;
import io.equipoise.event.Decimal;
import io.equipoise.offline.count.CountLayout;
import io.equipoise.offline.count.Counts;
import io.equipoise.offline.decompose.Decomposition.Cell;
import io.equipoise.offline.decompose.Decomposition.Moments;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.NumberRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sums the outcome for each finest stratum and level of the attribute, from the rows of a CSV file
 * in one pass or from the counts of a log. Memory is that of the strata, whatever the number of
 * rows.
 *
 * <p>State: the sums by group and stratum, whose key has one character for each matched column, and
 * the codes of the values found. {@link #read} and {@link #of} fill them; then they do not change.
 */
final class PeopleTable {
  /** A column with more values is no discrete variable. */
  private static final int MOST_VALUES = 1024;

  /** Beyond it nearly nobody has a counterpart. */
  private static final int MOST_STRATA = 1 << 18;

  private static final double MOST_ROWS = 1e15;

  /**
   * Assigns a role to each column.
   *
   * @param positive the value of the outcome that counts 1, every other 0; null for numbers
   * @param matched the columns of the strata, in order
   * @param cuts where numbers of a column are cut, by column
   * @param weight the column with the number of rows that a row represents
   */
  record Roles(
      String attribute,
      String outcome,
      @Nullable String positive,
      List<String> matched,
      Map<String, double[]> cuts,
      @Nullable String weight,
      NumberRange range) {}

  private final List<Column> columns; // those of the strata, then the attribute's
  private final String rows; // what the numbers of rows are
  private final Map<String, Map<String, Moments>> strata = new LinkedHashMap<>(); // then by level

  private final Set<String> doubtful = new TreeSet<>();
  private double leftOut;

  private PeopleTable(List<Column> columns, String rows) {
    this.columns = columns;
    this.rows = rows;
  }

  /**
   * Reads a file.
   *
   * @throws DistributionException if a column or a value cannot be used
   */
  static PeopleTable read(Path file, Roles roles) throws IOException {
    try (CsvFile csv = CsvFile.open(file)) {
      List<Column> columns = new ArrayList<>();
      for (String name : roles.matched) {
        columns.add(new Column(name, place(csv, name), roles.cuts.get(name)));
      }
      columns.add(new Column(roles.attribute, place(csv, roles.attribute), null));
      PeopleTable table =
          new PeopleTable(columns, roles.weight == null ? "rows" : "rows by " + roles.weight);
      int outcome = place(csv, roles.outcome);
      int weight = roles.weight == null ? -1 : place(csv, roles.weight);
      List<String> fields = csv.next();
      if (fields == null) {
        throw new DistributionException(
            file + " has a heading and no rows; below it each row needs a value of every column");
      }
      double rows = 0;
      boolean hasPositive = false;
      for (; fields != null; fields = csv.next()) {
        double count = 1;
        boolean isMissing = CsvFile.isMissing(fields.get(outcome));
        for (Column column : columns) {
          isMissing |= CsvFile.isMissing(fields.get(column.place));
        }
        if (weight >= 0 && CsvFile.isMissing(fields.get(weight))) {
          isMissing = true;
        } else if (weight >= 0) {
          count = count(csv, roles, fields.get(weight), rows);
        }
        rows += count;
        if (isMissing) {
          table.leftOut += count;
          continue;
        }
        double value = table.outcome(csv, roles, fields.get(outcome));
        hasPositive |= value == 1;
        String[] values = new String[columns.size()];
        for (int i = 0; i < values.length; i++) {
          values[i] = columns.get(i).value(fields, csv);
        }
        table.sums(values, csv::place).add(count, value);
      }
      if (roles.positive != null && !hasPositive) {
        throw new DistributionException(
            "%s: no row has %s = \"%s\"; give a value of the column in --positive"
                .formatted(file, roles.outcome, roles.positive));
      }
      return table;
    }
  }

  private static int place(CsvFile csv, String name) {
    int place = csv.heading().indexOf(name);
    if (place < 0) {
      throw new DistributionException(
          csv.place() + "no column \"" + name + "\"; " + Nearest.oneOf(name, csv.heading()));
    }
    return place;
  }

  private static double count(CsvFile csv, Roles roles, String text, double before) {
    double count = Decimal.of(text);
    if (count >= 0 && count == Math.rint(count) && before + count <= MOST_ROWS) {
      return count;
    }
    throw new DistributionException(
        "%s%s is %s; a whole number of rows from 0, and at most %.0f in all rows together"
            .formatted(csv.place(), roles.weight, text, MOST_ROWS));
  }

  private double outcome(CsvFile csv, Roles roles, String text) {
    if (roles.positive != null) {
      if (CsvFile.isDoubtful(text)) {
        doubtful.add(roles.outcome + "=" + text);
      }
      return text.equals(roles.positive) ? 1 : 0;
    }
    double value = Decimal.of(text);
    if (roles.range.contains(value)) {
      return value;
    }
    throw new DistributionException(
        csv.place()
            + (Double.isNaN(value)
                ? "%s is %s, no number; name in --positive the value that counts 1, such as --positive \"%s\""
                    .formatted(roles.outcome, text, text)
                : "%s is %s; a number from %s to %s: give the least and the greatest outcome in --range, or the value that counts 1 in --positive"
                    .formatted(
                        roles.outcome,
                        text,
                        Field.shown(roles.range.low()),
                        Field.shown(roles.range.high()))));
  }

  /**
   * Takes the counts of a log over the matched variables, the attribute and the reward as a mean,
   * in this order.
   *
   * @param disclosed for each variable but the reward, how many of its first levels are counted;
   *     rows with others are left out
   */
  static PeopleTable of(Counts counts, List<Integer> disclosed, NumberRange range) {
    ContingencyTable shares = counts.tables().get(0);
    ContingencyTable squares = counts.squares().get(0);
    List<Variable> variables = shares.variables().subList(0, disclosed.size());
    PeopleTable table =
        new PeopleTable(
            variables.stream().map(it -> new Column(it.name(), -1, null)).toList(), "rows");
    double span = range.width();
    double unit = CountLayout.UNIT;
    String[] values = new String[disclosed.size()];
    for (long code : Arrays.stream(shares.codes()).map(it -> it / 2).distinct().toArray()) {
      double share = shares.weight(2 * code + 1) / unit;
      double rows = share + shares.weight(2 * code) / unit;
      int[] levels = shares.levels(2 * code);
      if (IntStream.range(0, values.length).anyMatch(i -> levels[i] >= disclosed.get(i))) {
        table.leftOut += rows;
        continue;
      }
      Arrays.setAll(values, i -> variables.get(i).levels().get(levels[i]));
      double mean = share / rows;
      double residual = squares.weight(2 * code + 1) / unit - share * mean;
      boolean isVaried = residual > rows / unit; // every square is rounded up by less than 1 / unit
      table
          .sums(values, () -> "the log: ")
          .add(rows, range.low() + span * mean, isVaried ? span * span * residual : 0);
    }
    return table;
  }

  /** Returns the sums of the people with these values, the attribute's last. */
  private Moments sums(String[] values, Supplier<String> place) {
    char[] key = new char[values.length];
    for (int i = 0; i < key.length; i++) {
      key[i] = columns.get(i).code(values[i], place);
    }
    int matched = key.length - 1;
    Map<String, Moments> groups =
        strata.computeIfAbsent(new String(key, 0, matched), it -> new HashMap<>());
    if (strata.size() > MOST_STRATA) {
      List<String> names = names().subList(0, matched);
      throw new DistributionException(
          "%sthe values of %s make more than %d strata; use wider --bins or match less"
              .formatted(place.get(), names, MOST_STRATA));
    }
    return groups.computeIfAbsent(values[matched], it -> new Moments());
  }

  /** Returns the rows of each level of the attribute, sorted by level. */
  Map<String, Double> groups() {
    Map<String, Double> rows = new TreeMap<>();
    strata
        .values()
        .forEach(of -> of.forEach((level, it) -> rows.merge(level, it.rows, Double::sum)));
    return rows;
  }

  /** Returns the rows that were not counted; one whose weight is missing counts as one. */
  long leftOut() {
    return (long) leftOut;
  }

  String leftOutInWords() {
    return Counted.of(leftOut(), rows + " are left out: a value is missing")
        + (columns.get(0).place < 0 ? "" : ", that is, empty, NA, N/A, NaN or null");
  }

  /** Returns the names of the columns in which a row needs a value, without the outcome. */
  List<String> names() {
    return columns.stream().map(it -> it.name).toList();
  }

  /** Returns the strata with people of one of two levels of the attribute. */
  List<Cell> cells(String reference, String other) {
    List<Cell> cells = new ArrayList<>();
    strata.forEach(
        (key, groups) -> {
          Moments zero = groups.getOrDefault(reference, Moments.NONE);
          Moments one = groups.getOrDefault(other, Moments.NONE);
          if (zero.rows + one.rows > 0) {
            cells.add(new Cell(key, zero, one));
          }
        });
    return cells;
  }

  /** Returns a stratum as column=value, column=value. */
  String described(String key) {
    return IntStream.range(0, key.length())
        .mapToObj(i -> columns.get(i).name + "=" + columns.get(i).values.get(key.charAt(i)))
        .collect(Collectors.joining(", "));
  }

  /** Returns the values of a file that may mean that there is none, as column=value. */
  List<String> doubtful() {
    for (Column column : columns) {
      column.values.stream()
          .filter(it -> column.place >= 0 && CsvFile.isDoubtful(it))
          .forEach(it -> doubtful.add(column.name + "=" + it));
    }
    return List.copyOf(doubtful);
  }

  /** Numbers the values of a column in the order of their first appearance. */
  private static final class Column {
    private final String name;
    private final int place;
    private final double @Nullable [] cuts;
    private final Map<String, Character> codes = new HashMap<>();
    private final List<String> values = new ArrayList<>();

    Column(String name, int place, double @Nullable [] cuts) {
      this.name = name;
      this.place = place;
      this.cuts = cuts;
    }

    char code(String value, Supplier<String> place) {
      Character code = codes.get(value);
      if (code != null) {
        return code;
      }
      if (values.size() == MOST_VALUES) {
        throw new DistributionException(
            "%scolumn \"%s\" has more than %d values; group numbers by --bins %s=..., or match less"
                .formatted(place.get(), name, MOST_VALUES, name));
      }
      char next = (char) values.size();
      values.add(value);
      codes.put(value, next);
      return next;
    }

    /** Returns the value of a row, of a number its bin. */
    String value(List<String> fields, CsvFile csv) {
      String text = fields.get(place);
      double[] at = cuts;
      if (at == null) {
        return text;
      }
      double number = Decimal.of(text);
      if (Double.isNaN(number)) {
        throw new DistributionException(
            "%s%s is %s; --bins needs numbers".formatted(csv.place(), name, text));
      }
      int bin = 0;
      while (bin < at.length && number >= at[bin]) {
        bin++;
      }
      if (bin == 0) {
        return "below " + Field.shown(at[0]);
      }
      String from = Field.shown(at[bin - 1]);
      return from + (bin == at.length ? " and above" : "-" + Field.shown(at[bin]));
    }
  }
}
