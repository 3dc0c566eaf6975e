package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.lab.csr.CsrInstance;
import io.equipoise.lab.csr.Instances;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceTablesTest {
  private static final double RELATIVE = 1e-9;

  static Stream<String> all() {
    return Stream.concat(Fixtures.SYNTHETIC.stream(), Stream.of("hepar2"));
  }

  @ParameterizedTest
  @MethodSource("all")
  void divergencesAreThoseOfTheReference(String name) {
    JsonNode tables = Fixtures.json("tables-" + name);
    Divergences divergences = new Divergences(Fixtures.model(name));
    assertTable(tables.get("M"), divergences.reward());
    assertTable(tables.get("D_ss1"), divergences.forward());
    assertTable(tables.get("D_s1s"), divergences.backward());
  }

  private static void assertTable(JsonNode wanted, double[][] table) {
    double[][] rows = Fixtures.rows(wanted);
    assertEquals(rows.length, table.length);
    for (int k = 0; k < rows.length; k++) {
      for (int j = 0; j < rows[k].length; j++) {
        assertEquals(rows[k][j], table[k][j], RELATIVE * rows[k][j], k + ", " + j);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "loose", "tight", "hh", "lh", "hl", "nofair"})
  void theTruthOfSyntheticInstancesIsThatOfTheReference(String name) {
    assertTruth(Fixtures.json("tables-" + name), Instances.synthetic(name));
  }

  /** The network is not ours to ship; its path may be given. */
  @Test
  void hepar2ComesOutOfItsNetworkFile() throws IOException {
    String path = System.getProperty("equipoise.hepar2");
    assumeTrue(path != null, "set equipoise.hepar2 to the path of hepar2.bif");
    CsrInstance csrInstance = Instances.hepar2(Path.of(path));
    JsonNode tables = Fixtures.json("tables-hepar2");
    assertTruth(tables, csrInstance);
    Divergences divergences = new Divergences(csrInstance.model());
    assertTable(tables.get("M"), divergences.reward());
    assertTable(tables.get("D_ss1"), divergences.forward());
    assertTable(tables.get("D_s1s"), divergences.backward());
    double[][] law = Fixtures.rows(tables.get("P_z_given_S"));
    for (int z = 0; z < law[0].length; z++) {
      assertEquals(law[0][z], csrInstance.model().law(0, z), 1e-12);
      assertEquals(law[1][z], csrInstance.model().law(1, z), 1e-12);
    }
  }

  private static void assertTruth(JsonNode tables, CsrInstance csrInstance) {
    double[] mean = Fixtures.row(tables.get("mu"));
    double[] effect = Fixtures.row(tables.get("zeta_ss1"));
    BitSet fair = new BitSet();
    for (int k = 0; k < mean.length; k++) {
      assertEquals(mean[k], csrInstance.mean(k), RELATIVE * mean[k]);
      assertEquals(effect[k], csrInstance.effect(k), RELATIVE);
      fair.set(k, csrInstance.isFair(k));
    }
    assertEquals(Fixtures.set(tables.get("fair")), fair);
    int best = tables.get("best").isNull() ? -1 : tables.get("best").asInt();
    assertEquals(best, csrInstance.best());
  }

  /** The total effect of S, seen from the other group's samples. */
  @ParameterizedTest
  @MethodSource("all")
  void bothFairnessEstimatesExpectTheSameEffectUpToItsSign(String name) {
    CsrModel model = Fixtures.model(name);
    for (int k = 0; k < model.arms(); k++) {
      double ofPrime = 0;
      double ofS = 0;
      for (int z = 0; z < model.cells(); z++) {
        for (int v = 0; v < model.levels(); v++) {
          double reward = v == 0 ? .8 : .3;
          double weight = model.odds(k, 0, z, v) * model.probability(0, z, v) * reward;
          ofPrime += model.law(CsrModel.S_PRIME, z) * weight * model.forward[z];
          ofS += model.law(CsrModel.S, z) * weight * model.backward[z];
        }
      }
      assertEquals(0, ofPrime + ofS, 1e-12);
      assertTrue(Math.abs(ofPrime) < 1);
    }
  }
}
