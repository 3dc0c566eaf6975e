package io.equipoise.local.chaos;

import io.equipoise.cli.TextTable;
import io.equipoise.local.chaos.ChaosResult.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A run's result for people. */
final class ChaosReport {
  private static final int SHOWN = 5;

  private ChaosReport() {}

  static List<String> lines(ChaosResult result) {
    TextTable table =
        new TextTable("fault", "times", "invariants", "median s", "max s", "budget s", "over");
    for (Row row : result.rows()) {
      Long budget = row.budgetSeconds();
      table.row(
          row.fault(),
          Integer.toString(row.times()),
          invariants(row),
          seconds(row.median()),
          seconds(row.max()),
          budget == null ? "-" : budget.toString(),
          budget == null ? "-" : Long.toString(row.overBudget()));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %d contexts, %d rewards, %d snapshots judged; %d a second, seed %d, %.0f s",
            result.delivery(),
            result.contexts(),
            result.rewards(),
            result.snapshots(),
            result.perSecond(),
            result.seed(),
            result.seconds()));
    for (Row row : result.rows()) {
      row.violations().stream()
          .limit(SHOWN)
          .forEach(violation -> lines.add(row.fault() + ": " + violation));
      if (row.violations().size() > SHOWN) {
        lines.add(row.fault() + ": and " + (row.violations().size() - SHOWN) + " more");
      }
    }
    return lines;
  }

  private static String invariants(Row row) {
    if (row.isExpected()) {
      return row.violations().isEmpty() ? "NOTHING DETECTED" : "loss detected";
    }
    return row.violations().isEmpty() ? "hold" : row.violations().size() + " VIOLATED";
  }

  private static String seconds(double seconds) {
    return Double.isNaN(seconds) ? "-" : String.format(Locale.ROOT, "%.1f", seconds);
  }
}
