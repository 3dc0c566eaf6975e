package io.equipoise.offline.decompose;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.CsvFile;
import io.equipoise.event.Decimal;
import io.equipoise.offline.decompose.Decomposition.Cell;
import io.equipoise.offline.decompose.Decomposition.Moments;
import io.equipoise.segmentspec.Nearest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the rows of a CSV file in one pass: the sums of the outcome for each finest stratum and
 * level of the attribute. Memory is that of the strata, whatever the number of rows.
 */
final class PeopleTable {
  /** A column with more values is no discrete variable. */
  private static final int MOST_VALUES = 1024;

  /** Beyond it nearly nobody has a counterpart. */
  private static final int MOST_STRATA = 1 << 18;

  private static final double MOST_ROWS = 1e15;

  /**
   * What the columns are.
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

  private final Path file;
  private final Roles roles;
  private final List<Column> columns = new ArrayList<>();
  private final Column attribute;
  private final int outcome;
  private final int weight;
  private final Map<String, Moments[]> strata = new HashMap<>();
  private double rows;
  private long leftOut;
  private boolean hasPositive;

  private PeopleTable(Path file, List<String> heading, Roles roles) {
    this.file = file;
    this.roles = roles;
    attribute = column(heading, roles.attribute);
    for (String name : roles.matched) {
      columns.add(column(heading, name));
    }
    outcome = place(heading, roles.outcome);
    weight = roles.weight == null ? -1 : place(heading, roles.weight);
  }

  private Column column(List<String> heading, String name) {
    return new Column(name, place(heading, name), roles.cuts.get(name));
  }

  private int place(List<String> heading, String name) {
    int place = heading.indexOf(name);
    if (place < 0) {
      String near = Nearest.suggestion(name, heading);
      throw new DistributionException(
          "%s: no column \"%s\"; %s"
              .formatted(file, name, near.isEmpty() ? "columns are " + heading : near.strip()));
    }
    return place;
  }

  /**
   * Reads a file.
   *
   * @throws DistributionException if a column or a value cannot be used
   */
  static PeopleTable read(Path file, Roles roles) throws IOException {
    try (CsvFile csv = CsvFile.open(file)) {
      PeopleTable table = new PeopleTable(file, csv.heading(), roles);
      for (List<String> fields = csv.next(); fields != null; fields = csv.next()) {
        table.add(fields, csv);
      }
      if (roles.positive != null && !table.hasPositive) {
        throw new DistributionException(
            "%s: no row has %s = \"%s\"; give a value of the column in --positive"
                .formatted(file, roles.outcome, roles.positive));
      }
      return table;
    }
  }

  private void add(List<String> fields, CsvFile csv) {
    boolean isWhole =
        !CsvFile.isMissing(fields.get(outcome))
            && !CsvFile.isMissing(fields.get(attribute.place))
            && (weight < 0 || !CsvFile.isMissing(fields.get(weight)));
    for (Column column : columns) {
      isWhole &= !CsvFile.isMissing(fields.get(column.place));
    }
    if (!isWhole) {
      leftOut++;
      return;
    }
    double count = weight < 0 ? 1 : count(fields.get(weight), csv);
    double value = outcome(fields.get(outcome), csv);
    char[] key = new char[columns.size()];
    for (int i = 0; i < key.length; i++) {
      key[i] = columns.get(i).code(fields.get(columns.get(i).place), csv);
    }
    int group = attribute.code(fields.get(attribute.place), csv);
    String stratum = new String(key);
    Moments[] groups = strata.get(stratum);
    if (groups == null || groups.length <= group) {
      if (groups == null && strata.size() == MOST_STRATA) {
        throw new DistributionException(
            "%sthe values of %s make more than %d strata; use wider --bins or match less"
                .formatted(csv.place(), roles.matched, MOST_STRATA));
      }
      Moments[] wider = new Moments[group + 1];
      for (int i = 0; i <= group; i++) {
        wider[i] = groups != null && i < groups.length ? groups[i] : new Moments();
      }
      groups = wider;
      strata.put(stratum, groups);
    }
    groups[group].add(count, value);
    attribute.rows[group] += count;
    rows += count;
  }

  private double count(String text, CsvFile csv) {
    double count = Decimal.of(text);
    if (count >= 0 && count == Math.rint(count) && rows + count <= MOST_ROWS) {
      return count;
    }
    throw new DistributionException(
        "%s%s is %s; a whole number of rows from 0, and at most %.0f in all rows together"
            .formatted(csv.place(), roles.weight, text, MOST_ROWS));
  }

  private double outcome(String text, CsvFile csv) {
    if (roles.positive != null) {
      boolean isPositive = text.equals(roles.positive);
      hasPositive |= isPositive;
      return isPositive ? 1 : 0;
    }
    double value = Decimal.of(text);
    if (value >= roles.low && value <= roles.high) {
      return value;
    }
    throw new DistributionException(
        "%s%s is %s; a number from %s to %s, so give the range in --range, or a value in --positive"
            .formatted(csv.place(), roles.outcome, text, roles.low, roles.high));
  }

  /** Returns the rows of each level of the attribute, sorted by level. */
  Map<String, Double> groups() {
    Map<String, Double> groups = new TreeMap<>();
    attribute.codes.forEach((name, code) -> groups.put(name, attribute.rows[code]));
    return groups;
  }

  /** Returns the rows that were not counted, because a value was missing. */
  long leftOut() {
    return leftOut;
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

  /** A column whose values have numbers in the order of their first appearance. */
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

    char code(String text, CsvFile csv) {
      String value = cuts == null ? text : bin(text, cuts, csv);
      Character code = codes.get(value);
      if (code != null) {
        return code;
      }
      if (values.size() == MOST_VALUES) {
        throw new DistributionException(
            "%scolumn \"%s\" has more than %d values; group numbers by --bins %s=..., or match less"
                .formatted(csv.place(), name, MOST_VALUES, name));
      }
      char next = (char) values.size();
      values.add(value);
      codes.put(value, next);
      return next;
    }

    private String bin(String text, double[] cuts, CsvFile csv) {
      double number = Decimal.of(text);
      if (Double.isNaN(number)) {
        throw new DistributionException(
            "%s%s is %s; --bins needs numbers".formatted(csv.place(), name, text));
      }
      int bin = 0;
      while (bin < cuts.length && number >= cuts[bin]) {
        bin++;
      }
      if (bin == 0) {
        return "below " + shown(cuts[0]);
      }
      return bin == cuts.length
          ? shown(cuts[bin - 1]) + " and above"
          : shown(cuts[bin - 1]) + "-" + shown(cuts[bin]);
    }

    private static String shown(double cut) {
      return cut == Math.rint(cut) && Math.abs(cut) < 1e15 ? "" + (long) cut : "" + cut;
    }
  }
}
