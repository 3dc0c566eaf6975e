package io.equipoise.lab.report;

import io.equipoise.cli.TextTable;
import io.equipoise.lab.report.Check.Skipped;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds the result of a replication. Its JSON has the names and the order of these components.
 *
 * @param rows settings, then for each metric m the keys m_mean, m_se and m_n; all rows have the
 *     same keys in the same order
 */
public record ReplicationReport(
    String experiment,
    Row settings,
    long seed,
    String version,
    List<Row> rows,
    List<Check> checks,
    List<Skipped> skipped) {
  static final String MEAN = "_mean";
  static final String ERROR = "_se";
  static final String COUNT = "_n";

  /** Returns 0 if all checks pass, 1 if one fails, 2 if none applied. */
  public int exitCode() {
    if (checks.isEmpty()) {
      return 2;
    }
    return checks.stream().allMatch(Check::ok) ? 0 : 1;
  }

  void printTable(PrintWriter out) {
    out.printf(Locale.ROOT, "%s: %s%n%n", experiment, settings);
    if (!rows.isEmpty()) {
      table().lines().forEach(out::println);
      out.println();
    }
    for (Check check : checks) {
      String low = number(check.low());
      String high = number(check.high());
      String ok = check.ok() ? "ok  " : "FAIL";
      out.printf("%s %-28s %9s in [%s, %s]%n", ok, check.name(), number(check.value()), low, high);
    }
    skipped.forEach(skip -> out.printf("skip %s: %s%n", skip.name(), skip.why()));
    out.flush();
  }

  private TextTable table() {
    List<String> columns =
        rows.get(0).cells().keySet().stream()
            .filter(key -> !key.endsWith(ERROR) && !key.endsWith(COUNT))
            .toList();
    TextTable table =
        new TextTable(columns.stream().map(key -> key.replace(MEAN, "")).toArray(String[]::new));
    for (Row row : rows) {
      List<String> cells = new ArrayList<>();
      for (String column : columns) {
        cells.add(cell(row.cells(), column));
      }
      table.row(cells.toArray(new String[0]));
    }
    return table;
  }

  private static String cell(Map<String, @Nullable Object> row, String column) {
    Object value = row.get(column);
    if (!column.endsWith(MEAN) || !(value instanceof Double mean)) {
      return String.valueOf(value);
    }
    Object error = row.get(column.replace(MEAN, ERROR));
    return error instanceof Double spread ? number(mean) + " +- " + number(spread) : number(mean);
  }

  /** Prints one decimal, or four if the value is below 1. */
  private static String number(double value) {
    boolean isSmall = value != 0 && Math.abs(value) < 1;
    return String.format(Locale.ROOT, isSmall ? "%.4f" : "%.1f", value);
  }
}
