package io.equipoise.cli.causal;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.Variable;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.cli.CsvFile;
import io.equipoise.event.Decimal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Counts the rows of a CSV file into a table.
 *
 * <p>The heading names variables of the graph; other columns are ignored. Levels are the distinct
 * values of a column, in numeric order for numbers and in alphabetical order for other texts.
 * Rejects a missing value and a selected row whose selection flag is not 1, because missing values
 * are rarely missing at random.
 *
 * <p>State: the counts of the distinct rows. Levels are derived from them after the last row, since
 * the order of levels needs all values.
 */
final class CsvTable {
  /** Columns with more levels are not discrete variables, and their tables are too large. */
  private static final int MOST_LEVELS = 4096;

  /** Sums of whole numbers up to it are exact. */
  private static final long MOST_ROWS = 1_000_000_000_000_000L;

  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

  private final Path file;
  private final List<String> heading;
  private final List<Integer> kept = new ArrayList<>();
  private final int countColumn;
  private final int flagColumn;
  private double total;
  private final Map<List<String>, Double> rows = new TreeMap<>(CsvTable::compare);

  private CsvTable(Path file, List<String> heading, @Nullable String count, CausalGraph graph) {
    this.file = file;
    this.heading = heading;
    Set<String> observed = graph.observed();
    for (int column = 0; column < heading.size(); column++) {
      String name = heading.get(column);
      if (observed.contains(name) && !name.equals(count)) {
        kept.add(column);
      }
    }
    countColumn = count == null ? -1 : heading.indexOf(count);
    if (count != null && countColumn < 0) {
      throw new DistributionException(file + ": no column \"" + count + "\" in " + heading);
    }
    flagColumn = graph.selection().map(heading::indexOf).orElse(-1);
    if (kept.isEmpty()) {
      throw new DistributionException(
          file + ": no column of " + heading + " is an observed variable of the graph");
    }
  }

  static ContingencyTable read(
      Path file, @Nullable String count, CausalGraph graph, boolean isSelected) throws IOException {
    try (CsvFile csv = CsvFile.open(file)) {
      CsvTable table = new CsvTable(file, csv.heading(), count, graph);
      for (List<String> fields = csv.next(); fields != null; fields = csv.next()) {
        table.add(fields, csv.place(), isSelected);
      }
      return table.counted();
    }
  }

  private void add(List<String> fields, String place, boolean isSelected) {
    if (isSelected && flagColumn >= 0 && !fields.get(flagColumn).equals("1")) {
      throw fault(
          place,
          heading.get(flagColumn)
              + " is "
              + fields.get(flagColumn)
              + ", but a table of selected rows may contain only 1; leave the row out");
    }
    List<String> key = new ArrayList<>();
    for (int column : kept) {
      String value = fields.get(column);
      if (CsvFile.isMissing(value)) {
        throw fault(place, "no value of " + heading.get(column));
      }
      key.add(value);
    }
    rows.merge(key, countColumn < 0 ? 1 : count(fields.get(countColumn), place), Double::sum);
  }

  private double count(String text, String place) {
    double count = Decimal.of(text);
    total += count;
    if (count >= 0 && total <= MOST_ROWS) {
      return count;
    }
    throw fault(
        place,
        "%s is %s; a number from 0, and at most %d in all rows together"
            .formatted(heading.get(countColumn), text, MOST_ROWS));
  }

  private ContingencyTable counted() {
    List<Variable> variables = new ArrayList<>();
    for (int i = 0; i < kept.size(); i++) {
      TreeSet<String> levels = new TreeSet<>(CsvTable::compareValues);
      for (List<String> row : rows.keySet()) {
        levels.add(row.get(i));
      }
      if (levels.isEmpty()) {
        throw new DistributionException(file + ": no rows");
      }
      if (levels.size() > MOST_LEVELS) {
        throw new DistributionException(
            "%s: column \"%s\" has %d levels; at most %d, so group numbers into classes"
                .formatted(file, heading.get(kept.get(i)), levels.size(), MOST_LEVELS));
      }
      variables.add(new Variable(heading.get(kept.get(i)), List.copyOf(levels)));
    }
    ContingencyTable.size(variables);
    Map<Long, Double> cells = new TreeMap<>();
    rows.forEach(
        (row, count) -> {
          long code = 0;
          for (int i = 0; i < row.size(); i++) {
            Variable variable = variables.get(i);
            code = code * variable.size() + variable.indexOf(row.get(i));
          }
          cells.put(code, count);
        });
    return ContingencyTable.of(variables, cells);
  }

  private static DistributionException fault(String place, String what) {
    return new DistributionException(place + what);
  }

  private static int compare(List<String> one, List<String> other) {
    for (int i = 0; i < one.size(); i++) {
      int order = compareValues(one.get(i), other.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int compareValues(String one, String other) {
    boolean areNumbers = NUMBER.matcher(one).matches() && NUMBER.matcher(other).matches();
    Comparator<String> byNumber = Comparator.comparingDouble(Double::parseDouble);
    int order = areNumbers ? byNumber.compare(one, other) : 0;
    return order != 0 ? order : one.compareTo(other);
  }
}
