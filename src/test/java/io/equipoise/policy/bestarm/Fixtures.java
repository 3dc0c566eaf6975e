package io.equipoise.policy.bestarm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.lab.csr.Instances;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/** Reference tables and traces of the experiments, and models to go with them. */
final class Fixtures {
  static final List<String> SYNTHETIC =
      List.of("none", "loose", "tight", "hh", "lh", "hl", "nofair");
  private static final ObjectMapper JSON = new ObjectMapper();

  private Fixtures() {}

  static JsonNode json(String name) {
    try (InputStream in = Fixtures.class.getResourceAsStream("/csr/" + name + ".json")) {
      return JSON.readTree(Objects.requireNonNull(in, name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static double[] row(JsonNode node) {
    return JSON.convertValue(node, double[].class);
  }

  static double[][] rows(JsonNode node) {
    return JSON.convertValue(node, double[][].class);
  }

  static BitSet set(JsonNode node) {
    BitSet set = new BitSet();
    node.forEach(element -> set.set(element.asInt()));
    return set;
  }

  static CsrModel model(String name) {
    return name.equals("hepar2") ? hepar2() : Instances.synthetic(name).model();
  }

  /** HEPAR-II from its derived tables: 4 ages, PBC, 3 states of chronic hepatitis. */
  private static CsrModel hepar2() {
    JsonNode tables = json("tables-hepar2");
    double[][] law = rows(tables.get("P_z_given_S"));
    double[] ratio = new double[law[0].length];
    for (int z = 0; z < ratio.length; z++) {
      ratio[z] = law[0][z] / law[1][z];
    }
    double[][] present =
        rows(tables.get("P_fibrosis_present_given_ChHepatitis_active_persistent_absent"));
    double[][][] arms = new double[present.length][ratio.length][];
    for (int k = 0; k < arms.length; k++) {
      for (int z = 0; z < ratio.length; z++) {
        arms[k][z] = new double[] {present[k][z % 3], 1 - present[k][z % 3]};
      }
    }
    return new CsrModel(row(tables.get("pS")), law, ratio, arms);
  }

  static Design design(CsrModel model, Algorithm algorithm, Mode mode, int samples, double bound) {
    return design(model, algorithm, mode, FairnessEstimate.COUNTERFACTUAL, samples, bound);
  }

  static Design design(
      CsrModel model,
      Algorithm algorithm,
      Mode mode,
      FairnessEstimate fairness,
      int samples,
      double bound) {
    return new Design(
        model,
        new Design.Settings(algorithm, mode, fairness, samples, bound, .05),
        Costs.paper(model.arms(), 0, samples));
  }
}
