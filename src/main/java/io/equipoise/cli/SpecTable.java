package io.equipoise.cli;

import io.equipoise.causal.DistributionException;
import io.equipoise.event.Decimal;
import io.equipoise.event.GroupMean;
import io.equipoise.segmentspec.AttributeFault;
import io.equipoise.segmentspec.SpecVariable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a CSV file as attributes of a spec's variables. An empty value means that the
 * person does not disclose it. NA and other words for no value are refused unless they are levels.
 * A numeric variable requires a finite number. Columns of other names are ignored.
 */
public final class SpecTable implements AutoCloseable {
  private final CsvFile csv;
  private List<String> fields = List.of();

  private SpecTable(CsvFile csv) {
    this.csv = csv;
  }

  /**
   * Opens a file.
   *
   * @throws DistributionException if one of these columns is missing
   */
  public static SpecTable open(Path file, Collection<String> required) throws IOException {
    CsvFile csv = CsvFile.open(file);
    List<String> missing = new ArrayList<>(required);
    missing.removeAll(csv.heading());
    if (!missing.isEmpty()) {
      csv.close();
      throw new DistributionException(
          csv.place() + "columns " + csv.heading() + " given; also required: " + missing);
    }
    return new SpecTable(csv);
  }

  /**
   * Reads the next row; false at the end.
   *
   * @throws DistributionException if it is no valid row
   */
  public boolean next() throws IOException {
    List<String> next = csv.next();
    fields = next == null ? List.of() : next;
    return next != null;
  }

  public List<String> heading() {
    return csv.heading();
  }

  /** Returns the file and the line of the row, the prefix of error messages. */
  public String place() {
    return csv.place();
  }

  /** Returns a value of the row; null if it is empty or there is no such column. */
  public @Nullable String text(String column) {
    int place = csv.heading().indexOf(column);
    return place < 0 || fields.get(place).isEmpty() ? null : fields.get(place);
  }

  /**
   * Returns the disclosed values of these variables, numbers as {@code Double}.
   *
   * @throws DistributionException with the place of a value that is refused
   */
  public Map<String, Object> attributes(List<SpecVariable> variables) {
    Map<String, Object> attributes = new HashMap<>();
    for (SpecVariable variable : variables) {
      String text = text(variable.name());
      if (text != null) {
        attributes.put(variable.name(), value(variable, text));
      }
    }
    return attributes;
  }

  /** Returns the error of a value of the row that a spec cannot use, with its place. */
  public String fault(AttributeFault fault) {
    String name = fault.variable();
    String given = text(name);
    return "%s%s: %s given; %s"
        .formatted(
            place(),
            name,
            given == null ? "nothing" : given,
            fault.message().substring(name.length() + 2));
  }

  private Object value(SpecVariable variable, String text) {
    if (variable.levels().contains(text) || text.equals(GroupMean.UNDISCLOSED)) {
      return text;
    }
    double number = Decimal.of(text);
    if (CsvFile.isMissing(text) || (variable.isNumeric() && Double.isNaN(number))) {
      throw new DistributionException(
          "%s%s: %s given; %s, or nothing for a value that is not disclosed"
              .formatted(
                  place(),
                  variable.name(),
                  text,
                  variable.isNumeric() ? "a number such as 0.5" : "one of " + variable.levels()));
    }
    return variable.isNumeric() ? (Object) number : text;
  }

  @Override
  public void close() throws IOException {
    csv.close();
  }
}
