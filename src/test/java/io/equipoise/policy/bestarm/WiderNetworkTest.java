package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.causal.BifFormat;
import io.equipoise.causal.BifWriter;
import io.equipoise.causal.Cpt;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.segmentspec.SpecParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A search over a few variables of a medical network that has many: one of the shape of HEPAR-II
 * with random tables, and HEPAR-II itself where its path is given.
 */
class WiderNetworkTest {
  private static final long SEED = 31;
  private static final int SYMPTOMS = 45;
  private static final List<String> YES = List.of("present", "absent");
  private static final List<String> TREATMENTS = List.of("t1", "t2", "t3");
  private static final String SPEC = text("liver-search.yaml");

  @TempDir private Path directory;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final List<Variable> variables = new ArrayList<>();
  private final List<Cpt> tables = new ArrayList<>();
  private KnownDistributions network = network();

  private static String text(String name) {
    try (InputStream in = WiderNetworkTest.class.getResourceAsStream("/csr/" + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Adds a variable with a random table, its rows rounded as printed networks round. */
  private Variable add(String name, List<String> levels, Variable... parents) {
    Variable child = new Variable(name, levels);
    int rows = Arrays.stream(parents).mapToInt(Variable::size).reduce(1, (a, b) -> a * b);
    double[] table = new double[rows * levels.size()];
    for (int row = 0; row < rows; row++) {
      double[] drawn = RandomModels.distribution(random, levels.size());
      for (int level = 0; level < drawn.length; level++) {
        table[row * drawn.length + level] = Math.rint(drawn[level] * 1e7) / 1e7;
      }
    }
    variables.add(child);
    tables.add(new Cpt(child, List.of(parents), table, BifFormat.PRINTED_TOLERANCE));
    return child;
  }

  /** Sex and age before an illness, treatments before the scar, other organs and signs around. */
  private KnownDistributions network() {
    Variable sex = add("sex", List.of("female", "male"));
    Variable age = add("age", List.of("a65_100", "a51_65", "a31_50", "a0_30"));
    Variable ward = add("ward", YES);
    Variable needles = add("needles", YES, ward);
    Variable blood = add("blood", YES, ward);
    Variable virus = add("virus", YES);
    Variable hepatitis =
        add("hepatitis", List.of("active", "persistent", "absent"), blood, virus, needles);
    Variable ducts = add("ducts", YES, sex, age);
    Variable scar = add("scar", YES, hepatitis);
    Variable weight = add("weight", YES);
    Variable fat = add("fat", YES, weight);
    Variable liver = add("liver", List.of("bad", "fair", "good"), scar, fat);
    add("tumour", YES, liver, ducts);
    List<Variable> causes = List.of(liver, ducts, hepatitis, sex, fat, virus);
    for (int sign = 0; sign < SYMPTOMS; sign++) {
      add("sign" + sign, YES, causes.get(sign % 6), causes.get((sign + 1 + sign / 6 % 4) % 6));
    }
    return KnownDistributions.of(variables, tables);
  }

  private Design design(String spec) throws IOException {
    Files.writeString(directory.resolve("liver.bif"), BifWriter.write("liver", network));
    Path file = Files.writeString(directory.resolve("spec.yaml"), spec);
    return CsrPolicy.compile(SpecFiles.load(file).get(0)).design();
  }

  @Test
  void theModelIsThatOfTheWholeNetwork() throws IOException {
    Design design = design(SPEC);
    List<Cpt> arms = new ArrayList<>();
    Variable scar = network.variable("scar");
    Variable hepatitis = network.variable("hepatitis");
    double[][] rows = {{.6, .2, .05}, {.1, .8, .9}, {.9, .8, .3}};
    for (double[] row : rows) {
      double[] table = new double[6];
      for (int level = 0; level < 3; level++) {
        table[2 * level] = row[level];
        table[2 * level + 1] = 1 - row[level];
      }
      arms.add(new Cpt(scar, List.of(hepatitis), table));
    }
    CsrModel whole =
        new CsrDefinition(
                network.scaled(), "sex", List.of("female", "male"), "scar", "tumour", arms)
            .compile();
    CsrModel model = design.model();
    assertEquals(whole.cells(), model.cells());
    assertEquals(4 * 2 * 3, model.cells());
    for (int z = 0; z < model.cells(); z++) {
      assertEquals(whole.law(0, z), model.law(0, z), 1e-12, "seed " + SEED);
      assertEquals(whole.law(1, z), model.law(1, z), 1e-12);
      assertEquals(whole.forward[z], model.forward[z], 1e-9);
      for (int arm = 0; arm < model.arms(); arm++) {
        assertEquals(whole.probability(arm, z, 0), model.probability(arm, z, 0), 1e-15);
      }
    }
    assertEquals(whole.share(0), model.share(0), 1e-12);
  }

  private String faultsOf(String spec) throws IOException {
    return assertThrows(SpecException.class, () -> design(spec)).faults().toString();
  }

  @Test
  void aGraphThatDeniesWhatTheNetworkSaysIsRefused() throws IOException {
    String arrow = faultsOf(SPEC.replace("{sex age} -> ducts", "sex -> ducts; age"));
    assertTrue(arrow.contains("the arrow age -> ducts in the network"), arrow);
    String hidden =
        faultsOf(
            SPEC.replace(
                    "  hepatitis:",
                    "  needles: {role: context, levels: [present, absent]}\n  hepatitis:")
                .replace("scar ducts} -> tumour", "scar ducts} -> tumour; needles -> hepatitis"));
    assertTrue(hidden.contains("a hidden common cause hepatitis <-> needles"), hidden);
    String reward = faultsOf(SPEC.replace("scar ducts} -> tumour", "scar} -> tumour"));
    assertTrue(reward.contains("the arrow ducts -> tumour"), reward);
  }

  /** Gives a variable of the network, or a new one, other parents. */
  private void redraw(String name, List<String> levels, String... parents) {
    variables.removeIf(variable -> variable.name().equals(name));
    tables.removeIf(cpt -> cpt.child().name().equals(name));
    add(name, levels, Arrays.stream(parents).map(network::variable).toArray(Variable[]::new));
    network = KnownDistributions.of(variables, tables);
  }

  private String faultsOrNone(String spec) throws IOException {
    try {
      design(spec);
      return "";
    } catch (SpecException e) {
      return e.faults().toString();
    }
  }

  /** Else the table of ducts would be read backwards from hepatitis, which is given by itself. */
  @Test
  void aVariableIsNotConditionedOnWhatComesOfItInTheNetwork() throws IOException {
    String backwards =
        SPEC.replace("{sex age} -> ducts", "{sex age hepatitis} -> ducts")
            .replace("  cpts:", "  cpts:\n    hepatitis: {given: [], rows: [[0.2, 0.3, 0.5]]}");
    assertEquals("", faultsOrNone(backwards));
    redraw("hepatitis", List.of("active", "persistent", "absent"), "virus", "ducts");
    String faults = faultsOrNone(backwards);
    assertTrue(faults.contains("the way from ducts to hepatitis in the network"), faults);
  }

  @Test
  void anArrowFromAnActionIsNotSummedOut() throws IOException {
    redraw("treatment", TREATMENTS);
    assertEquals("", faultsOrNone(SPEC));
    redraw("ducts", YES, "sex", "age", "treatment");
    String faults = faultsOrNone(SPEC);
    assertTrue(faults.contains("the arrow treatment -> ducts in the network"), faults);
  }

  /** Whoever the network treats, here arms are given by whoever runs the bandit. */
  @Test
  void whatActsOnAnActionInTheNetworkIsCut() throws IOException {
    redraw("treatment", TREATMENTS, "sex", "virus");
    redraw("tumour", YES, "liver", "ducts", "treatment");
    String direct = SPEC.replace("{scar ducts} -> tumour", "{scar ducts treatment} -> tumour");
    String faults = faultsOrNone(direct);
    assertFalse(faults.contains("in the network"), faults);
    String denied = faultsOrNone(SPEC);
    assertTrue(denied.contains("the arrow treatment -> tumour in the network"), denied);
  }

  /** Without the tables of its causes a cut network would say that a variable has none. */
  @Test
  void aNetworkWithoutATableThatNothingReplacesIsRefused() throws IOException {
    redraw("treatment", TREATMENTS, "sex");
    for (String name : List.of("treatment", "scar", "ducts", "virus", "tumour")) {
      List<Cpt> rest = new ArrayList<>(tables);
      rest.removeIf(cpt -> cpt.child().name().equals(name));
      network = KnownDistributions.of(variables, rest);
      String faults = faultsOrNone(SPEC);
      boolean isReplaced = name.equals("treatment") || name.equals("scar");
      assertEquals(
          !isReplaced, faults.contains("no probability block of \"" + name + "\""), faults);
      assertEquals(isReplaced, faults.isEmpty(), faults);
    }
  }

  @Test
  void unlessTheSpecSaysSoOthersAndRoundedRowsAreRefused() throws IOException {
    String others = faultsOf(SPEC.replace("  others: marginalize\n", ""));
    assertTrue(others.contains("the variable \"ward\""), others);
    String rounded = faultsOf(SPEC.replace("  normalize-rows: true\n", ""));
    assertTrue(rounded.contains("normalize-rows: true if only what was printed"), rounded);
    String none =
        assertThrows(
                SpecException.class,
                () -> SpecParser.parse(SPEC.replace("  bif-file: liver.bif\n", "")))
            .faults()
            .toString();
    assertTrue(none.contains("others without a network"), none);
    assertTrue(none.contains("normalize-rows without a network"), none);
  }

  /** The network is not ours to ship; its path may be given. */
  @Test
  void hepar2IsASearchWithTheTablesOfThePapersExperiment() throws IOException {
    String path = System.getProperty("equipoise.hepar2");
    assumeTrue(path != null, "set equipoise.hepar2 to the path of hepar2.bif");
    Files.copy(Path.of(path), directory.resolve("hepar2.bif"));
    Path file = Files.writeString(directory.resolve("spec.yaml"), text("hepar2-search.yaml"));
    Design design = CsrPolicy.compile(SpecFiles.load(file).get(0)).design();
    JsonNode wanted = Fixtures.json("tables-hepar2");
    Divergences divergences = new Divergences(design.model());
    assertTable(wanted.get("M"), divergences.reward());
    assertTable(wanted.get("D_ss1"), divergences.forward());
    assertTable(wanted.get("D_s1s"), divergences.backward());
  }

  private static void assertTable(JsonNode wanted, double[][] table) {
    double[][] rows = Fixtures.rows(wanted);
    assertEquals(rows.length, table.length);
    for (int k = 0; k < rows.length; k++) {
      for (int j = 0; j < rows[k].length; j++) {
        assertEquals(rows[k][j], table[k][j], 1e-9 * rows[k][j], k + ", " + j);
      }
    }
  }
}
