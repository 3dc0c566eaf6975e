package io.equipoise.offline.decompose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.causal.effect.GapParts.Level;
import io.equipoise.event.GapPartKind;
import io.equipoise.offline.decompose.Decomposition.Cell;
import io.equipoise.offline.decompose.Decomposition.Moments;
import io.equipoise.offline.decompose.Decomposition.Part;
import io.equipoise.offline.decompose.Decomposition.Scale;
import io.equipoise.segmentspec.NumberRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers that another program calculated: {@code src/test/resources/split}. */
class GoldenSplitTest {
  private static final Path FILES = Path.of("src/test/resources/split");
  private static final Scale UNIT = new Scale(new NumberRange(0, 1), .05);
  private static final Level Z = new Level("z", GapPartKind.SPURIOUS, List.of("z"));
  private static final Level W = new Level("w", GapPartKind.INDIRECT, List.of("w"));
  private static final Level ARM = new Level("arm", GapPartKind.POLICY, List.of("arm"));

  private static JsonNode file(String name) throws IOException {
    return new ObjectMapper().readTree(FILES.resolve(name).toFile());
  }

  private static void assertNear(double expected, double actual, String what) {
    assertEquals(expected, actual, 1e-9 * Math.max(1, Math.abs(expected)), what);
  }

  private static void compare(JsonNode expected, Decomposition actual) {
    compare(expected.get("gap"), actual.gap);
    int place = 0;
    for (JsonNode part : expected.get("parts")) {
      compare(part, actual.parts.get(place++));
    }
    assertEquals(place, actual.parts.size());
    for (int level = 0; level < actual.levels.size(); level++) {
      assertNear(
          expected.get("levels").get(level).asDouble(), actual.levels.get(level).value(), "level");
      assertNear(
          expected.get("effectiveOther").get(level).asDouble(),
          actual.levels.get(level).effective(),
          "rows");
    }
    assertNear(expected.get("meanReference").asDouble(), actual.reference.mean, "reference");
    assertNear(expected.get("meanAll").asDouble(), actual.everyone, "everyone");
    double sum = actual.parts.stream().mapToDouble(Part::estimate).sum();
    assertEquals(actual.gap.estimate(), sum, 1e-12);
  }

  private static void compare(JsonNode expected, Part actual) {
    assertNear(expected.get("estimate").asDouble(), actual.estimate(), actual.name());
    assertNear(expected.get("standardError").asDouble(), actual.standardError(), actual.name());
    assertNear(expected.get("lower").asDouble(), actual.lower(), actual.name());
    assertNear(expected.get("upper").asDouble(), actual.upper(), actual.name());
    assertNear(expected.get("unmatched").asDouble(), actual.unmatched(), actual.name());
  }

  private static Decomposition decompose(Path file, PeopleTable.Roles roles, Pair pair, Level... of)
      throws IOException {
    PeopleTable table = PeopleTable.read(file, roles);
    return new Decomposition(table.cells(pair.reference, pair.other), List.of(of), "x", UNIT);
  }

  private record Pair(String reference, String other) {}

  @Test
  void theUnitNetworkHasItsPartsInBothDirections() throws IOException {
    JsonNode expected = file("unit-network-decompose.json");
    var roles =
        new PeopleTable.Roles("x", "y", null, List.of("z", "w"), Map.of(), "count", UNIT.range());
    Path rows = FILES.resolve("unit-network.csv");
    compare(expected.get("x0ToX1"), decompose(rows, roles, new Pair("x0", "x1"), Z, W));
    compare(expected.get("x1ToX0"), decompose(rows, roles, new Pair("x1", "x0"), Z, W));
    JsonNode measures = file("unit-network.json").get("measures");
    PeopleTable table = PeopleTable.read(rows, roles);
    Measures.of(table.cells("x0", "x1"), 1)
        .forEach((name, value) -> assertNear(measures.get(name).asDouble(), value, name));
  }

  @Test
  void berkeleyReversesWithTheDepartment() throws IOException {
    JsonNode expected = file("berkeley.json");
    List<Cell> cells = new ArrayList<>();
    List<Cell> swapped = new ArrayList<>();
    for (int department = 0; department < 6; department++) {
      String key = "" + (char) department;
      Moments men = counts(expected.at("/admittedRejected/male/" + department));
      Moments women = counts(expected.at("/admittedRejected/female/" + department));
      cells.add(new Cell(key, men, women));
      swapped.add(new Cell(key, women, men));
    }
    compare(expected.get("maleToFemale"), new Decomposition(cells, List.of(W), "sex", UNIT));
    compare(expected.get("femaleToMale"), new Decomposition(swapped, List.of(W), "sex", UNIT));
  }

  private static Moments counts(JsonNode admittedRejected) {
    Moments moments = new Moments();
    moments.add(admittedRejected.get(0).asDouble(), 1);
    moments.add(admittedRejected.get(1).asDouble(), 0);
    return moments;
  }

  @Test
  void structuralModelsHaveTheirMeasuresAndParts() throws IOException {
    for (JsonNode model : file("scm.json").get("cases")) {
      compareModel(model);
      List<Cell> cells = armCells(model);
      Decomposition actual = new Decomposition(cells, List.of(Z, W, ARM), "x", UNIT);
      JsonNode expected = model.get("withArm");
      assertNear(expected.get("gap").asDouble(), actual.gap.estimate(), "gap");
      List<String> names = List.of("spurious", "indirect", "policyDirect", "rewardDirect");
      for (int i = 0; i < names.size(); i++) {
        assertNear(
            expected.get(names.get(i)).asDouble(), actual.parts.get(i).estimate(), names.get(i));
      }
      Part rest = actual.rest;
      assertNear(
          expected.get("policyDirect").asDouble() + expected.get("rewardDirect").asDouble(),
          rest == null ? Double.NaN : rest.estimate(),
          "rest");
    }
  }

  @Test
  void partsThatCancelOverThePopulationAreZeroThoughNobodyIsTreatedAlike() throws IOException {
    for (JsonNode model : file("killer.json").get("cases")) {
      compareModel(model);
    }
  }

  private static void compareModel(JsonNode model) {
    ObjectMapper mapper = new ObjectMapper();
    double one = share(model);
    double[][] pz = mapper.convertValue(model.get("pz"), double[][].class);
    double[][][] mu = mapper.convertValue(model.get("mu"), double[][][].class);
    double[][][] pw = laws(model, pz[0].length);
    List<Cell> cells = cells(one, pz, pw, mu);
    Measures.of(cells, 1)
        .forEach(
            (name, value) ->
                assertEquals(model.at("/measures/" + name).asDouble(), value, 1e-12, name));
    compareContributions(model.get("contributions"), cells);
    if (model.has("contributionsReverse")) {
      compareContributions(model.get("contributionsReverse"), DecompositionTest.swapped(cells));
    }
  }

  private static void compareContributions(JsonNode expected, List<Cell> cells) {
    Decomposition actual = new Decomposition(cells, List.of(Z, W), "x", UNIT);
    assertEquals(expected.get("gap").asDouble(), actual.gap.estimate(), 1e-12);
    List<String> names = List.of("spurious", "indirect", "direct");
    for (int i = 0; i < names.size(); i++) {
      double part = actual.parts.get(i).estimate();
      assertEquals(expected.get(names.get(i)).asDouble(), part, 1e-12, names.get(i));
    }
  }

  private static double share(JsonNode model) {
    return model.has("px1")
        ? model.get("px1").asDouble()
        : model.at("/pxz/1/0").asDouble() + model.at("/pxz/1/1").asDouble();
  }

  private static double[][][] laws(JsonNode model, int strata) {
    if (model.has("pw")) {
      return new ObjectMapper().convertValue(model.get("pw"), double[][][].class);
    }
    double w = model.get("pw1").asDouble();
    double[][][] laws = new double[2][strata][];
    for (double[][] of : laws) {
      for (int z = 0; z < strata; z++) {
        of[z] = new double[] {1 - w, w};
      }
    }
    return laws;
  }

  /** Returns a population of one person in exact shares. */
  static List<Cell> cells(double one, double[][] pz, double[][][] pw, double[][][] mu) {
    List<Cell> cells = new ArrayList<>();
    for (int z = 0; z < pz[0].length; z++) {
      for (int w = 0; w < mu[0][z].length; w++) {
        Moments zero = new Moments();
        zero.add((1 - one) * pz[0][z] * pw[0][z][w], mu[0][z][w]);
        Moments other = new Moments();
        other.add(one * pz[1][z] * pw[1][z][w], mu[1][z][w]);
        cells.add(new Cell("" + (char) z + (char) w, zero, other));
      }
    }
    return cells;
  }

  private static List<Cell> armCells(JsonNode model) {
    List<Cell> cells = new ArrayList<>();
    double one = model.get("px1").asDouble();
    for (int z = 0; z < model.at("/pz/0").size(); z++) {
      for (int w = 0; w < model.at("/pw/0/0").size(); w++) {
        for (int arm = 0; arm < model.at("/pi/0/0/0").size(); arm++) {
          Moments[] both = {new Moments(), new Moments()};
          for (int x = 0; x < 2; x++) {
            String at = "/" + x + "/" + z;
            both[x].add(
                (x == 0 ? 1 - one : one)
                    * model.at("/pz" + at).asDouble()
                    * model.at("/pw" + at + "/" + w).asDouble()
                    * model.at("/pi" + at + "/" + w + "/" + arm).asDouble(),
                model.at("/muArm" + at + "/" + w + "/" + arm).asDouble());
          }
          cells.add(new Cell("" + (char) z + (char) w + (char) arm, both[0], both[1]));
        }
      }
    }
    return cells;
  }

  /** Adult is not in the repository: {@code -Dequipoise.adult=DIR} with adult.data, adult.test. */
  @Test
  void adultRestsOnOneWoman(@TempDir Path directory) throws IOException {
    String folder = System.getProperty("equipoise.adult", "");
    assumeTrue(!folder.isEmpty(), "-Dequipoise.adult=DIR is not given");
    Path csv = adult(Path.of(folder), directory);
    JsonNode one = file("adult.json").get("example1");
    var cuts = Map.of("hours", new double[] {20, 40, 60, 80});
    var roles =
        new PeopleTable.Roles(
            "sex", "income", "<=50K", List.of("relationship", "hours"), cuts, null, UNIT.range());
    compare(one.get("maleToFemale"), decompose(csv, roles, new Pair("Male", "Female"), Z, W));
    compare(one.get("femaleToMale"), decompose(csv, roles, new Pair("Female", "Male"), Z, W));
    List<Cell> cells = PeopleTable.read(csv, roles).cells("Male", "Female");
    Measures.of(smoothed(cells), 1)
        .forEach(
            (name, value) ->
                assertEquals(one.at("/fairmind/" + name).asDouble(), value, 1e-6, name));
    JsonNode six = file("adult.json").get("example6");
    var education =
        new PeopleTable.Roles(
            "education", "income", ">50K", List.of("sex", "country"), Map.of(), null, UNIT.range());
    Pair degrees = new Pair("Some-college", "Masters");
    compare(six.get("someCollegeToMasters"), decompose(csv, education, degrees, Z, W));
  }

  /** Adds one pseudo-count to each cell of P(z), P(x | z), P(w | x, z) and P(y | x, z, w). */
  private static List<Cell> smoothed(List<Cell> cells) {
    int zs = cells.stream().mapToInt(it -> it.key().charAt(0)).max().orElse(0) + 1;
    int ws = cells.stream().mapToInt(it -> it.key().charAt(1)).max().orElse(0) + 1;
    double[][][] rows = new double[2][zs][ws];
    double[][][] law = new double[2][zs][ws];
    double[][][] mean = new double[2][zs][ws];
    double[][] count = new double[2][zs];
    double all = 0;
    for (double[][] of : mean) {
      for (double[] row : of) {
        Arrays.fill(row, .5);
      }
    }
    for (Cell cell : cells) {
      int z = cell.key().charAt(0);
      int w = cell.key().charAt(1);
      Moments[] both = {cell.reference(), cell.other()};
      for (int x = 0; x < 2; x++) {
        rows[x][z][w] = both[x].rows;
        count[x][z] += both[x].rows;
        all += both[x].rows;
        mean[x][z][w] = (both[x].rows * both[x].mean + 1) / (both[x].rows + 2);
      }
    }
    double[][] pz = new double[2][zs];
    double[] px = new double[2];
    for (int z = 0; z < zs; z++) {
      double inZ = count[0][z] + count[1][z];
      for (int x = 0; x < 2; x++) {
        pz[x][z] = (inZ + 1) / (all + zs) * (count[x][z] + 1) / (inZ + 2);
        px[x] += pz[x][z];
        for (int w = 0; w < ws; w++) {
          law[x][z][w] = (rows[x][z][w] + 1) / (count[x][z] + ws);
        }
      }
    }
    for (int x = 0; x < 2; x++) {
      for (int z = 0; z < zs; z++) {
        pz[x][z] /= px[x];
      }
    }
    return cells(px[1], pz, law, mean);
  }

  private static Path adult(Path folder, Path directory) throws IOException {
    List<String> rows = new ArrayList<>();
    rows.add(
        "age,workclass,fnlwgt,education,years,marital,occupation,relationship,race,sex,gain,loss,"
            + "hours,country,income");
    for (String name : List.of("adult.data", "adult.test")) {
      for (String line : Files.readAllLines(folder.resolve(name))) {
        if (line.chars().filter(it -> it == ',').count() == 14) {
          rows.add(line.strip().replaceAll("\\.$", ""));
        }
      }
    }
    return Files.write(directory.resolve("adult.csv"), rows);
  }
}
