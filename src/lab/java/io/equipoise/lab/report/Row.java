package io.equipoise.lab.report;

import com.fasterxml.jackson.annotation.JsonValue;
import io.equipoise.cli.report.Sample;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a flat JSON object with its names in the order in which they were added. */
public final class Row {
  private final Map<String, @Nullable Object> cells = new LinkedHashMap<>();

  /** Adds a value. */
  public Row with(String name, @Nullable Object value) {
    cells.put(name, value);
    return this;
  }

  /** Adds mean, standard error and count of a metric; null adds three nulls. */
  public Row with(String metric, @Nullable Sample sample) {
    cells.put(metric + ReplicationReport.MEAN, sample == null ? null : sample.mean());
    cells.put(metric + ReplicationReport.ERROR, sample == null ? null : sample.standardError());
    cells.put(metric + ReplicationReport.COUNT, sample == null ? null : sample.n());
    return this;
  }

  /** Returns the values by name. */
  @JsonValue
  public Map<String, @Nullable Object> cells() {
    return cells;
  }

  @Override
  public String toString() {
    return cells.toString();
  }
}
