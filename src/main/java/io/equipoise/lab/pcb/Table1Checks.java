package io.equipoise.lab.pcb;

import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds Table 1 against the population: the exact values, the published numbers, those of the first
 * log and the means over all logs, the latter three in standard deviations.
 */
final class Table1Checks {
  private static final double EXACT = 1e-9;
  private static final double PUBLISHED = 4;
  private static final double FIRST = 5;
  private static final double MEAN = 4;
  private static final int FEWEST_LOGS = 30;

  private final SampledColumns columns;
  private final PcbReference pcbReference = new PcbReference();

  Table1Checks(SampledColumns columns) {
    this.columns = columns;
  }

  List<Check> checks() {
    List<Check> checks = new ArrayList<>();
    double rows = LoggedWorld.POINTS * columns.selectedShare();
    double spread = Math.sqrt(rows * (1 - columns.selectedShare()));
    double first = columns.selectedRows().get(0);
    checks.add(Check.of("selected rows", first, rows - 4 * spread, rows + 4 * spread));
    for (Column column : Column.values()) {
      double worst = 0;
      for (int place = 0; place < PcbPlace.PLACES; place++) {
        double exact = columns.population(column)[place];
        worst = Math.max(worst, Math.abs(exact - pcbReference.population(place, column)));
      }
      checks.add(Check.of("exact " + column.wire(), worst, 0, EXACT));
    }
    for (Column column : Column.PUBLISHED) {
      checks.add(Check.of("published z " + column.wire(), published(column), 0, PUBLISHED));
      checks.add(Check.of("first log z " + column.wire(), first(column), 0, FIRST));
      if (columns.logs() >= FEWEST_LOGS) {
        checks.add(Check.of("mean z " + column.wire(), mean(column), 0, MEAN));
      }
    }
    return checks;
  }

  List<Skipped> skipped() {
    return columns.logs() >= FEWEST_LOGS
        ? List.of()
        : List.of(new Skipped("means", "fewer than " + FEWEST_LOGS + " logs say too little"));
  }

  private double published(Column column) {
    double worst = 0;
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      worst = Math.max(worst, z(place, column, pcbReference.published(place, column)));
    }
    return worst;
  }

  private double first(Column column) {
    double worst = 0;
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      worst = Math.max(worst, z(place, column, columns.values(column, place).get(0)));
    }
    return worst;
  }

  private double mean(Column column) {
    double worst = 0;
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      double mean = columns.sample(column, place).mean();
      worst = Math.max(worst, z(place, column, mean) * Math.sqrt(columns.logs()));
    }
    return worst;
  }

  private double z(int place, Column column, double value) {
    double distance = Math.abs(value - columns.population(column)[place]);
    return distance / pcbReference.spread(place, column);
  }
}
