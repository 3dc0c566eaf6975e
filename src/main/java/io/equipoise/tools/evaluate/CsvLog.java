package io.equipoise.tools.evaluate;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.SpecTable;
import io.equipoise.event.Decimal;
import io.equipoise.segmentspec.SegmentSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads logged decisions from a CSV file in the order of time: a column for each feature, and
 * {@code arm}, {@code propensity}, {@code reward}; optionally {@code time} as an instant, a column
 * for each mediator, and {@code propensity:ARM} for other arms. Without {@code time} a row is one
 * second later than the row before. An empty reward is unknown.
 */
final class CsvLog {
  static final String ARM = "arm";
  static final String PROPENSITY = "propensity";
  static final String REWARD = "reward";

  /** Rows are weighted by the inverse of the propensity, and the weights are squared. */
  private static final double LEAST_PROPENSITY = 1e-12;

  private static final String TIME = "time";
  private static final String SEGMENT = "log";
  private static final long START = 1_700_000_000_000L;
  private static final long SECOND = 1_000;
  private static final double ROUNDING = 1e-6;

  private final SegmentSpec spec;
  private final Path file;

  CsvLog(SegmentSpec spec, Path file) {
    this.spec = spec;
    this.file = file;
  }

  /**
   * Returns the rows.
   *
   * @throws EvaluationException if a column is missing or a value is invalid
   */
  List<LoggedDecision> read() throws IOException {
    List<LoggedDecision> rows = new ArrayList<>();
    List<String> required = new ArrayList<>(List.of(ARM, PROPENSITY, REWARD));
    spec.variables().features().forEach(variable -> required.add(variable.name()));
    try (SpecTable table = SpecTable.open(file, required)) {
      while (table.next()) {
        rows.add(row(rows.size(), table));
      }
    } catch (DistributionException e) {
      throw new EvaluationException(String.valueOf(e.getMessage()), e);
    }
    return rows;
  }

  private LoggedDecision row(int number, SpecTable table) {
    String place = table.place();
    String arm = table.text(ARM);
    if (arm == null) {
      throw new EvaluationException(place + "arm: empty; the arm that was shown is required");
    }
    String reward = table.text(REWARD);
    long time = time(number, table.text(TIME), place);
    Map<String, Double> propensities = propensities(arm, table);
    return new LoggedDecision(
        SEGMENT,
        "row-" + (number + 1),
        time,
        table.attributes(spec.variables().features()),
        arm,
        propensities,
        propensities.size() > 1,
        reward == null ? null : number(place + REWARD, reward),
        time,
        table.attributes(spec.variables().mediators()));
  }

  private static Map<String, Double> propensities(String arm, SpecTable table) {
    Map<String, Double> all = new LinkedHashMap<>();
    for (String name : table.heading()) {
      String text = table.text(name);
      if (name.startsWith(PROPENSITY + ":") && text != null) {
        all.put(name.substring(PROPENSITY.length() + 1), share(table.place() + name, text));
      }
    }
    String given = table.text(PROPENSITY);
    double propensity = share(table.place() + PROPENSITY, String.valueOf(given));
    if (propensity < LEAST_PROPENSITY) {
      throw new EvaluationException(
          "%spropensity: %s given; the arm was shown, so it is at least %s"
              .formatted(table.place(), given, LEAST_PROPENSITY));
    }
    Double own = all.put(arm, propensity);
    if (own != null && Math.abs(own - propensity) > ROUNDING) {
      throw new EvaluationException(
          "%spropensity: %s given, but propensity:%s is %s; they must be equal"
              .formatted(table.place(), propensity, arm, own));
    }
    double sum = all.values().stream().mapToDouble(Double::doubleValue).sum();
    if (sum > 1 + ROUNDING) {
      throw new EvaluationException(
          table.place()
              + "propensity: the arms' sum is "
              + Math.rint(sum * 1e6) / 1e6
              + "; it is at most 1");
    }
    return all;
  }

  private static long time(int number, @Nullable String text, String place) {
    if (text == null) {
      return START + number * SECOND;
    }
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw new EvaluationException(
          place + "time: " + text + " given; an instant such as 2026-01-05T08:00:00Z", e);
    }
  }

  private static double number(String place, String text) {
    double number = Decimal.of(text);
    if (Double.isNaN(number)) {
      throw new EvaluationException(place + ": " + text + " given; a finite number");
    }
    return number;
  }

  private static double share(String place, String text) {
    double share = Decimal.of(text);
    if (share >= 0 && share <= 1) {
      return share;
    }
    throw new EvaluationException(place + ": " + text + " given; a probability from 0 to 1");
  }
}
