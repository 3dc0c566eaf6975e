package io.equipoise.offline.decompose;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.Variable;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.cli.CsvFile;
import io.equipoise.cli.SimilarNames;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sums the outcome for each finest stratum and level of the attribute, from the rows of a CSV file
 * in one pass or from the counts of a log. Memory is that of the strata, whatever the number of
 * rows.
 *
 * <p>State: the sums by stratum, whose key has one character for each matched column, and the codes
 * of the values found. {@link #read} and {@link #of} fill them; then they do not change.
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
      double low,
      double high) {}

  private final List<Column> columns;
  private final Column attribute;
  private final @Nullable String weight;
  private final Map<String, Moments[]> strata = new HashMap<>();
  private final Set<String> outcomes = new LinkedHashSet<>(); // texts only
  private double rows;
  private double leftOut;

  private PeopleTable(List<Column> columns, Column attribute, @Nullable String weight) {
    this.columns = columns;
    this.attribute = attribute;
    this.weight = weight;
  }

  /**
   * Reads a file.
   *
   * @throws DistributionException if a column or a value cannot be used
   */
  static PeopleTable read(Path file, Roles roles) throws IOException {
    try (CsvFile csv = CsvFile.open(file)) {
      CsvPeople people = new CsvPeople(file, csv, roles);
      for (List<String> fields = csv.next(); fields != null; fields = csv.next()) {
        people.add(fields);
      }
      return people.table();
    }
  }

  /**
   * Takes the counts of a log over the matched variables, the attribute and the reward as a mean,
   * in this order.
   *
   * @param disclosed for each variable but the reward, how many of its first levels are counted;
   *     rows with others are left out
   */
  static PeopleTable of(Counts counts, int[] disclosed, NumberRange range) {
    ContingencyTable shares = counts.tables().get(0);
    ContingencyTable squares = counts.squares().get(0);
    int matched = disclosed.length - 1;
    List<Column> columns = new ArrayList<>();
    for (Variable variable : shares.variables().subList(0, matched + 1)) {
      columns.add(new Column(variable.name(), -1, null));
    }
    PeopleTable table = new PeopleTable(columns.subList(0, matched), columns.get(matched), null);
    double span = range.high() - range.low();
    double unit = CountLayout.UNIT;
    for (long code : Arrays.stream(shares.codes()).map(it -> it / 2).distinct().toArray()) {
      double share = shares.weight(2 * code + 1) / unit;
      double rows = share + shares.weight(2 * code) / unit;
      double mean = share / rows;
      double residual = squares.weight(2 * code + 1) / unit - share * mean;
      Moments sums = new Moments();
      boolean isVaried = residual > rows / unit; // every square is rounded up by less than 1 / unit
      sums.add(rows, range.low() + span * mean, isVaried ? span * span * residual : 0);
      int[] levels = shares.levels(2 * code);
      boolean isCounted = true;
      char[] key = new char[matched + 1];
      for (int i = 0; i <= matched; i++) {
        isCounted &= levels[i] < disclosed[i];
        key[i] =
            columns
                .get(i)
                .code(shares.variables().get(i).levels().get(levels[i]), () -> "the log: ");
      }
      if (isCounted) {
        table.add(new String(key, 0, matched), key[matched], sums, () -> "the log: ");
      } else {
        table.leftOut += sums.rows;
      }
    }
    return table;
  }

  private void add(String stratum, int group, Moments sums, Supplier<String> place) {
    Moments[] groups = strata.get(stratum);
    if (groups == null || groups.length <= group) {
      if (groups == null && strata.size() == MOST_STRATA) {
        throw new DistributionException(
            "%sthe values of %s make more than %d strata; use wider --bins or match less"
                .formatted(place.get(), columns.stream().map(it -> it.name).toList(), MOST_STRATA));
      }
      Moments[] wider = new Moments[group + 1];
      for (int i = 0; i <= group; i++) {
        wider[i] = groups != null && i < groups.length ? groups[i] : new Moments();
      }
      groups = wider;
      strata.put(stratum, groups);
    }
    groups[group].add(sums);
    attribute.rows[group] += sums.rows;
    rows += sums.rows;
  }

  /** Returns a sentence for each group of values found in the rows that people take for equal. */
  List<String> warnings(String outcome) {
    List<String> warnings = new ArrayList<>();
    columns.forEach(it -> warnings.addAll(SimilarNames.warnings(it.name, it.values)));
    warnings.addAll(SimilarNames.warnings(attribute.name, attribute.values));
    warnings.addAll(SimilarNames.warnings(outcome, outcomes));
    return warnings;
  }

  /** Returns the rows of each level of the attribute, sorted by level. */
  Map<String, Double> groups() {
    Map<String, Double> groups = new TreeMap<>();
    attribute.codes.forEach((name, code) -> groups.put(name, attribute.rows[code]));
    return groups;
  }

  /**
   * Returns the rows that were not counted, because a value was missing. A row whose weight is
   * missing is one.
   */
  long leftOut() {
    return (long) leftOut;
  }

  String leftOutInWords() {
    String by = weight == null ? "" : "by " + weight + " ";
    return Counted.of(leftOut(), "rows " + by + "are left out");
  }

  /** Returns the strata with people of one of two levels of the attribute. */
  List<Cell> cells(String reference, String other) {
    List<Cell> cells = new ArrayList<>();
    strata.forEach(
        (key, groups) -> {
          Cell cell = new Cell(key, of(groups, reference), of(groups, other));
          if (cell.reference().rows + cell.other().rows > 0) {
            cells.add(cell);
          }
        });
    return cells;
  }

  private Moments of(Moments[] groups, String level) {
    int code = attribute.codes.get(level);
    return code < groups.length ? groups[code] : Moments.NONE;
  }

  /** Returns a stratum as column=value, column=value. */
  String described(String key) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < key.length(); i++) {
      words.add(columns.get(i).name + "=" + columns.get(i).values.get(key.charAt(i)));
    }
    return String.join(", ", words);
  }

  /** Reads the rows of a CSV file into a table. */
  private static final class CsvPeople {
    private final CsvFile csv;
    private final Roles roles;
    private final PeopleTable table;
    private final Path file;
    private final int outcome;
    private final int weight;
    private boolean hasPositive;

    CsvPeople(Path file, CsvFile csv, Roles roles) throws IOException {
      this.file = file;
      this.csv = csv;
      this.roles = roles;
      List<Column> columns = new ArrayList<>();
      for (String name : roles.matched) {
        columns.add(column(name));
      }
      table = new PeopleTable(columns, column(roles.attribute), roles.weight);
      outcome = place(roles.outcome);
      weight = roles.weight == null ? -1 : place(roles.weight);
    }

    private Column column(String name) {
      return new Column(name, place(name), roles.cuts.get(name));
    }

    private int place(String name) {
      List<String> heading = csv.heading();
      int place = heading.indexOf(name);
      if (place < 0) {
        String near = Nearest.suggestion(name, heading);
        throw new DistributionException(
            "%s: no column \"%s\"; %s"
                .formatted(file, name, near.isEmpty() ? "columns are " + heading : near.strip()));
      }
      return place;
    }

    PeopleTable table() {
      if (roles.positive != null && !hasPositive) {
        throw new DistributionException(
            "%s: no row has %s = \"%s\"; give a value of the column in --positive"
                .formatted(file, roles.outcome, roles.positive));
      }
      return table;
    }

    void add(List<String> fields) {
      boolean isWeighed = weight < 0 || !CsvFile.isMissing(fields.get(weight));
      double count = weight < 0 || !isWeighed ? 1 : count(fields.get(weight));
      boolean isWhole =
          isWeighed
              && !CsvFile.isMissing(fields.get(outcome))
              && !CsvFile.isMissing(fields.get(table.attribute.place));
      for (Column column : table.columns) {
        isWhole &= !CsvFile.isMissing(fields.get(column.place));
      }
      if (!isWhole) {
        table.leftOut += count;
        return;
      }
      Moments sums = new Moments();
      sums.add(count, outcome(fields.get(outcome)));
      char[] key = new char[table.columns.size()];
      for (int i = 0; i < key.length; i++) {
        key[i] = code(table.columns.get(i), fields);
      }
      table.add(new String(key), code(table.attribute, fields), sums, csv::place);
    }

    private char code(Column column, List<String> fields) {
      String text = fields.get(column.place);
      return column.code(column.cuts == null ? text : column.bin(text, csv), csv::place);
    }

    private double count(String text) {
      double count = Decimal.of(text);
      if (count >= 0
          && count == Math.rint(count)
          && table.rows + table.leftOut + count <= MOST_ROWS) {
        return count;
      }
      throw new DistributionException(
          "%s%s is %s; a whole number of rows from 0, and at most %.0f in all rows together"
              .formatted(csv.place(), roles.weight, text, MOST_ROWS));
    }

    private double outcome(String text) {
      if (roles.positive != null) {
        boolean isPositive = text.equals(roles.positive);
        hasPositive |= isPositive;
        if (table.outcomes.size() < MOST_VALUES) {
          table.outcomes.add(text);
        }
        return isPositive ? 1 : 0;
      }
      double value = Decimal.of(text);
      if (value >= roles.low && value <= roles.high) {
        return value;
      }
      throw new DistributionException(
          "%s%s is %s; a number from %s to %s, so give the range in --range, or a value in --positive"
              .formatted(
                  csv.place(),
                  roles.outcome,
                  text,
                  Field.shown(roles.low),
                  Field.shown(roles.high)));
    }
  }

  /** Numbers the values of a column in the order of their first appearance. */
  private static final class Column {
    private final String name;
    private final int place;
    private final double @Nullable [] cuts;
    private final Map<String, Character> codes = new HashMap<>();
    private final List<String> values = new ArrayList<>();
    private final double[] rows = new double[MOST_VALUES];

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

    private String bin(String text, CsvFile csv) {
      double[] at = Objects.requireNonNull(cuts);
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
        return "below " + shown(at[0]);
      }
      return bin == at.length
          ? shown(at[bin - 1]) + " and above"
          : shown(at[bin - 1]) + "-" + shown(at[bin]);
    }

    private static String shown(double cut) {
      return cut == Math.rint(cut) && Math.abs(cut) < 1e15 ? "" + (long) cut : "" + cut;
    }
  }
}
