package io.equipoise.policy.tabular;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;

/** Ends of cells and of joint regions, computed by another program. */
final class GoldenCells {
  private GoldenCells() {}

  static JsonNode read() throws IOException {
    try (InputStream in = GoldenCells.class.getResourceAsStream("/certificates/cells.json")) {
      return new ObjectMapper().readTree(in);
    }
  }

  static double[] doubles(JsonNode array) {
    double[] doubles = new double[array.size()];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = array.get(i).asDouble();
    }
    return doubles;
  }
}
