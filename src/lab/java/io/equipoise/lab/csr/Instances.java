package io.equipoise.lab.csr;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.causal.BifFormat;
import io.equipoise.causal.Cpt;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import io.equipoise.policy.bestarm.CsrDefinition;
import io.equipoise.simulation.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/**
 * Provides the instances of the experiments. The synthetic ones, S to X to V to Y with 20 levels of
 * X and 30 arms, replace those of the paper, which were not published. The user provides the file
 * of HEPAR-II; the shipped arms are ours.
 */
public final class Instances {
  private Instances() {}

  /** Returns a shipped instance: none, loose, tight, hh, lh, hl or nofair. */
  public static CsrInstance synthetic(String name) {
    JsonNode tables = Resources.json("/lab/csr/" + name + ".json");
    Variable s = new Variable("S", List.of("s", "s'"));
    JsonNode cells = tables.get("P_X_given_S");
    Variable x =
        new Variable(
            "X",
            IntStream.rangeClosed(1, cells.get(0).size()).mapToObj(Integer::toString).toList());
    Variable v = new Variable("V", List.of("1", "0"));
    Variable y = new Variable("Y", List.of("1", "0"));
    double follows = tables.get("eps").asDouble();
    List<Cpt> arms = new ArrayList<>();
    for (JsonNode row : tables.get("P_V1_given_X")) {
      arms.add(bernoulli(v, x, row));
    }
    KnownDistributions known =
        KnownDistributions.of(
            List.of(v),
            List.of(
                new Cpt(s, List.of(), new double[] {.5, .5}),
                new Cpt(x, List.of(s), flat(cells)),
                new Cpt(y, List.of(v), new double[] {follows, 1 - follows, 1 - follows, follows})));
    CsrDefinition definition = new CsrDefinition(known, "S", s.levels(), "V", "Y", arms);
    return CsrInstance.of(name, tables.get("E").asDouble(), definition, "1");
  }

  /** Returns HEPAR-II: sex, fibrosis intervened upon given ChHepatitis, carcinoma as the reward. */
  public static CsrInstance hepar2(Path bif) throws IOException {
    KnownDistributions known =
        BifFormat.read(Files.readString(bif), BifFormat.PRINTED_TOLERANCE).scaled();
    JsonNode tables = Resources.json("/lab/csr/hepar2-arms.json");
    Variable fibrosis = known.variable("fibrosis");
    Variable hepatitis = known.variable("ChHepatitis");
    if (!fibrosis.levels().equals(List.of("present", "absent"))
        || !hepatitis.levels().equals(List.of("active", "persistent", "absent"))) {
      throw new DistributionException(bif + " is not the network of HEPAR-II");
    }
    List<Cpt> arms = new ArrayList<>();
    for (JsonNode row : tables.get("P_present_given_active_persistent_absent")) {
      arms.add(bernoulli(fibrosis, hepatitis, row));
    }
    CsrDefinition definition =
        new CsrDefinition(known, "sex", List.of("female", "male"), "fibrosis", "carcinoma", arms);
    return CsrInstance.of("hepar2", tables.get("E").asDouble(), definition, "present");
  }

  /** Returns the table whose first level has the given probabilities, by level of the parent. */
  private static Cpt bernoulli(Variable child, Variable parent, JsonNode first) {
    double[] table = new double[2 * parent.size()];
    for (int row = 0; row < parent.size(); row++) {
      table[2 * row] = first.get(row).asDouble();
      table[2 * row + 1] = 1 - table[2 * row];
    }
    return new Cpt(child, List.of(parent), table);
  }

  private static double[] flat(JsonNode rows) {
    return StreamSupport.stream(rows.spliterator(), false)
        .flatMapToDouble(row -> Arrays.stream(Resources.numbers(row)))
        .toArray();
  }
}
