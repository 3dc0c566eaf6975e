package io.equipoise.lab.pcb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * The published Table 1, and the population values and spreads (delta method, 30 000 points) of its
 * numbers by a computation that shares no code with this one.
 */
final class PcbReference {
  private final JsonNode rows;

  PcbReference() {
    try (InputStream in = PcbReference.class.getResourceAsStream("/lab/pcb/reference.json")) {
      rows = new ObjectMapper().readTree(Objects.requireNonNull(in)).get("rows");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  double population(int place, Column column) {
    return rows.get(place).get("population").get(column.key()).asDouble();
  }

  /** Returns a published number, with its three decimals. */
  double published(int place, Column column) {
    return rows.get(place).get("published").get(column.key()).asDouble();
  }

  /** Returns the standard deviation of a number of Table 1 over logs. */
  double spread(int place, Column column) {
    return rows.get(place).get("sd").get(column.key()).asDouble();
  }
}
