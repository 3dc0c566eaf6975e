package io.equipoise.lab.csr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.policy.bestarm.Algorithm;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Error rates of a reference implementation with random streams of its own, by setting. The paper
 * printed its results as figures without numbers.
 */
final class References {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Rate> rates = new LinkedHashMap<>();

  /** An error rate over so many runs. */
  record Rate(double error, int runs) {
    /** Returns by how much the mean of n runs may differ: three standard errors and 0.02. */
    double tolerance(int n) {
      double p = Math.min(.98, Math.max(.02, error));
      return 3 * Math.sqrt(p * (1 - p) * (1.0 / n + 1.0 / runs)) + .02;
    }
  }

  References() {
    for (JsonNode table : resource()) {
      String from = table.get("instance").asText() + " " + table.get("mode").asText() + " ";
      String prefix = from + table.get("fairness").asText() + " ";
      table
          .get("error")
          .fields()
          .forEachRemaining(
              ofT -> {
                int place = 0;
                for (Algorithm policy : Algorithm.values()) {
                  double error = ofT.getValue().get(place++).asDouble();
                  String key = prefix + ofT.getKey() + " " + policy.wire();
                  rates.put(key, new Rate(error, table.get("runs").asInt()));
                }
              });
    }
  }

  /** Returns the reference of a setting, or null if there is none. */
  @Nullable Rate of(CsrSetting csrSetting) {
    return rates.get(
        csrSetting.instance()
            + " "
            + csrSetting.mode().wire()
            + " "
            + csrSetting.fairness().wire()
            + " "
            + csrSetting.samples()
            + " "
            + csrSetting.policy().wire());
  }

  private static JsonNode resource() {
    String name = "/lab/csr/reference.json";
    try (InputStream in = References.class.getResourceAsStream(name)) {
      return JSON.readTree(Objects.requireNonNull(in, name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
