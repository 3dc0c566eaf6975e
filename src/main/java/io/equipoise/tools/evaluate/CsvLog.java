package io.equipoise.tools.evaluate;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.SpecTable;
import io.equipoise.event.Decimal;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.AttributeFault;
import io.equipoise.segmentspec.ContextEncoder;
import io.equipoise.segmentspec.Encoded;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.SegmentSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads logged decisions from a CSV file in the order of time: a column for each feature, and
 * {@code arm}, {@code propensity}, {@code reward}; optionally {@code time} as an instant, a column
 * for each mediator, and {@code propensity:ARM} for other arms. Without {@code time} a row is one
 * second later than the row before. An empty reward is unknown.
 *
 * <p>A log may have arms that the spec lacks. Any other name or level that the spec lacks is
 * refused, or is a column that {@link #ignored} names.
 *
 * <p>{@link #hasTimes} and {@link #ignored} use the heading, so they are valid after {@link #read}.
 */
final class CsvLog {
  static final String ARM = "arm";
  static final String PROPENSITY = "propensity";
  static final String REWARD = "reward";
  static final String TIME = "time";

  /** Rows are weighted by the inverse of the propensity, and the weights are squared. */
  private static final double LEAST_PROPENSITY = 1e-12;

  private static final String OF_ARM = PROPENSITY + ":";
  private static final String SEGMENT = "log";
  private static final long START = 1_700_000_000_000L;
  private static final long SECOND = 1_000;
  private static final double ROUNDING = 1e-6;

  private final SegmentSpec spec;
  private final Path file;
  private final ContextEncoder encoder;
  private final List<String> armIds;
  private List<String> heading = List.of();

  CsvLog(SegmentSpec spec, Path file) {
    this.spec = spec;
    this.file = file;
    encoder = new ContextEncoder(spec);
    armIds = spec.arms().list().stream().map(Arm::id).toList();
  }

  /** Returns whether the file that was read has times. */
  boolean hasTimes() {
    return heading.contains(TIME);
  }

  /** Returns the columns of the file that was read which mean nothing under the spec. */
  List<String> ignored() {
    Set<String> known = new HashSet<>(List.of(ARM, PROPENSITY, REWARD, TIME));
    spec.variables().features().forEach(it -> known.add(it.name()));
    spec.variables().mediators().forEach(it -> known.add(it.name()));
    return heading.stream().filter(it -> !known.contains(it) && !it.startsWith(OF_ARM)).toList();
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
      heading = table.heading();
      String top = table.place();
      while (table.next()) {
        rows.add(row(rows.size(), table));
        long before = rows.get(Math.max(0, rows.size() - 2)).time();
        if (rows.get(rows.size() - 1).time() < before) {
          throw new EvaluationException(
              "%stime: %s given, before the row above; sort the rows by time"
                  .formatted(table.place(), table.text(TIME)));
        }
      }
      checkPropensities(top, rows);
    } catch (DistributionException e) {
      throw new EvaluationException(String.valueOf(e.getMessage()), e);
    }
    return rows;
  }

  /** Refuses a column of propensities that belongs to no arm, which would silently have none. */
  private void checkPropensities(String top, List<LoggedDecision> rows) {
    Set<String> arms = new HashSet<>(armIds);
    rows.forEach(row -> arms.add(row.arm()));
    for (String name : heading) {
      String[] words = name.split("[^\\p{L}\\p{N}]", 2);
      boolean isMeant =
          !Nearest.suggestion(words[0].toLowerCase(Locale.ROOT), List.of(PROPENSITY)).isEmpty();
      String arm = name.startsWith(OF_ARM) ? name.substring(OF_ARM.length()) : "";
      if (isMeant && !name.equals(PROPENSITY) && !arms.contains(arm) && !encoder.knows(name)) {
        throw new EvaluationException(
            "%s%s: no column %sARM of an arm; %s; or remove it"
                .formatted(top, name, OF_ARM, Nearest.oneOf(words[words.length - 1], armIds)));
      }
    }
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
    Map<String, Object> person = table.attributes(spec.variables().features());
    Map<String, Object> mediators = table.attributes(spec.variables().mediators());
    refuseUnknown(table, encoder.encode(person));
    refuseUnknown(table, encoder.encodeMediators(mediators));
    return new LoggedDecision(
        SEGMENT,
        "row-" + (number + 1),
        time,
        person,
        arm,
        propensities,
        propensities.size() > 1,
        reward == null ? null : number(place + REWARD, reward),
        time,
        mediators);
  }

  /** Refuses a value that is no level. One that is missing makes the row invalid, and counts. */
  private static void refuseUnknown(SpecTable table, Encoded encoded) {
    for (AttributeFault fault : encoded.faults()) {
      if (fault.code() != AttributeFault.Code.MISSING_VARIABLE) {
        throw new EvaluationException(table.fault(fault));
      }
    }
  }

  private static Map<String, Double> propensities(String arm, SpecTable table) {
    Map<String, Double> all = new LinkedHashMap<>();
    for (String name : table.heading()) {
      String text = table.text(name);
      if (name.startsWith(OF_ARM) && text != null) {
        all.put(name.substring(OF_ARM.length()), share(table.place() + name, text));
      }
    }
    String given = table.text(PROPENSITY);
    if (given == null) {
      throw new EvaluationException(
          table.place() + "propensity: empty; every row has the probability of its arm");
    }
    double propensity = share(table.place() + PROPENSITY, given);
    if (propensity < LEAST_PROPENSITY) {
      throw new EvaluationException(
          "%spropensity: %s given; the arm was shown, so it is at least %.0e"
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

  private long time(int number, @Nullable String text, String place) {
    if (text == null && !hasTimes()) {
      return START + number * SECOND;
    }
    if (text == null) {
      throw new EvaluationException(place + "time: empty; give every row one, or drop the column");
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
