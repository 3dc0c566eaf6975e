package io.equipoise.tools.evaluate;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.CsvFile;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
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
  private static final String TIME = "time";
  private static final String SEGMENT = "log";
  private static final long START = 1_700_000_000_000L;
  private static final long SECOND = 1_000;

  private final SegmentSpec spec;
  private final Path file;
  private List<String> heading = List.of();

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
    try (CsvFile table = CsvFile.open(file)) {
      heading = table.heading();
      List<String> required = new ArrayList<>(List.of(ARM, PROPENSITY, REWARD));
      spec.variables().features().forEach(variable -> required.add(variable.name()));
      required.removeAll(heading);
      if (!required.isEmpty()) {
        throw new EvaluationException(
            "%s, line 1: columns %s given; also required: %s".formatted(file, heading, required));
      }
      for (List<String> fields = table.next(); fields != null; fields = table.next()) {
        rows.add(row(rows.size(), fields, table.place()));
      }
    } catch (DistributionException e) {
      throw new EvaluationException(String.valueOf(e.getMessage()), e);
    }
    return rows;
  }

  private LoggedDecision row(int number, List<String> fields, String place) {
    Map<String, Object> attributes = new HashMap<>();
    for (SpecVariable variable : spec.variables().features()) {
      String text = text(fields, variable.name());
      if (text != null) {
        Object value = variable.isNumeric() ? numberOrText(text) : text;
        attributes.put(variable.name(), value);
      }
    }
    Map<String, Object> mediators = new HashMap<>();
    for (SpecVariable variable : spec.variables().mediators()) {
      String text = text(fields, variable.name());
      if (text != null) {
        mediators.put(variable.name(), text);
      }
    }
    String arm = text(fields, ARM);
    if (arm == null) {
      throw new EvaluationException(place + "arm: empty; the arm that was shown is required");
    }
    String reward = text(fields, REWARD);
    long time = time(number, fields, place);
    Map<String, Double> propensities = propensities(arm, fields, place);
    return new LoggedDecision(
        SEGMENT,
        "row-" + (number + 1),
        time,
        attributes,
        arm,
        propensities,
        propensities.size() > 1,
        reward == null ? null : number(place + REWARD, reward),
        time,
        mediators);
  }

  private Map<String, Double> propensities(String arm, List<String> fields, String place) {
    Map<String, Double> all = new LinkedHashMap<>();
    for (int column = 0; column < heading.size(); column++) {
      String name = heading.get(column);
      String text = column < fields.size() ? fields.get(column) : "";
      if (name.startsWith(PROPENSITY + ":") && !text.isEmpty()) {
        all.put(name.substring(PROPENSITY.length() + 1), share(place + name, text));
      }
    }
    String own = text(fields, PROPENSITY);
    double propensity = share(place + PROPENSITY, String.valueOf(own));
    if (propensity == 0) {
      throw new EvaluationException(
          place + "propensity: 0 given; the arm was shown, so it is above 0");
    }
    all.put(arm, propensity);
    return all;
  }

  private long time(int number, List<String> fields, String place) {
    String text = text(fields, TIME);
    if (text == null) {
      return START + number * SECOND;
    }
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeException e) {
      throw new EvaluationException(
          place + "time: " + text + " given; an instant such as 2026-01-05T08:00:00Z", e);
    }
  }

  private @Nullable String text(List<String> fields, String name) {
    int column = heading.indexOf(name);
    String text = column < 0 || column >= fields.size() ? "" : fields.get(column);
    return text.isEmpty() ? null : text;
  }

  private static Object numberOrText(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return text;
    }
  }

  private static double number(String place, String text) {
    if (numberOrText(text) instanceof Double number && Double.isFinite(number)) {
      return number;
    }
    throw new EvaluationException(place + ": " + text + " given; a finite number");
  }

  private static double share(String place, String text) {
    if (numberOrText(text) instanceof Double number && number >= 0 && number <= 1) {
      return number;
    }
    throw new EvaluationException(place + ": " + text + " given; a probability from 0 to 1");
  }
}
