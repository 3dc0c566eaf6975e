package io.equipoise.offline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import io.equipoise.causal.bounds.EmpiricalBernstein;
import io.equipoise.cli.QuietLog;
import io.equipoise.segment.TestBounds;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Bounds on the mean of a reward that is any number of [0, 1]. */
class MeanRewardTest {
  private static final int ROWS = 3000;

  /** Two arms, two contexts, and a sensitive attribute that may be undisclosed. */
  private static final int CELLS = 2 * 2 * 3;

  @TempDir private Path directory = Path.of("");

  private final StringWriter err = new StringWriter();
  private String spec = TestBounds.spec("ignore");
  private final Map<String, List<Double>> rewards = new TreeMap<>();

  private JsonNode bounds(int exit, String log, String... arguments) throws IOException {
    Path under = Files.writeString(directory.resolve("spec.yaml"), spec);
    Path file = Files.writeString(directory.resolve("log.csv"), log);
    StringWriter out = new StringWriter();
    List<String> all = new ArrayList<>(List.of("--spec", under.toString(), "--json", "-"));
    all.addAll(List.of("--input", file.toString()));
    all.addAll(List.of(arguments));
    int code =
        new CommandLine(new BoundsCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    assertEquals(exit, code, err.toString());
    return new ObjectMapper().readTree(out.toString());
  }

  /** Draws a log; rewards are near 0.3 of A=left, spread of A=right. */
  private String log(boolean isBinary) {
    SplittableRandom random = new SplittableRandom(3);
    StringBuilder text = new StringBuilder("S,X,A,M,R\n");
    for (int row = 0; row < ROWS; row++) {
      String s = random.nextBoolean() ? "a" : "b";
      String x = random.nextBoolean() ? "low" : "high";
      boolean isLeft = random.nextBoolean();
      double drawn = random.nextDouble();
      double reward = isLeft ? .3 + .02 * drawn : drawn;
      reward = isBinary ? Math.rint(drawn) : reward;
      String arm = isLeft ? "left" : "right";
      text.append(String.join(",", s, x, arm, "1", Double.toString(reward))).append('\n');
      rewards.computeIfAbsent("A=" + arm + s + x, it -> new ArrayList<>()).add(reward);
    }
    return text.toString();
  }

  private List<Double> of(JsonNode row) {
    JsonNode context = row.get("context");
    return rewards.getOrDefault(
        row.get("arm").asText() + context.get("S").asText() + context.get("X").asText(), List.of());
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(it -> it).average().orElseThrow();
  }

  @Test
  void withoutACorrectionBoundsAreTheMeansOfTheCells() throws IOException {
    JsonNode report = bounds(0, log(false), "--mean-reward", "--delta", "0");
    assertEquals(ROWS, report.get("rows").asLong());
    int compared = 0;
    for (JsonNode row : report.get("bounds")) {
      List<Double> own = of(row);
      if (!own.isEmpty()) {
        assertEquals(mean(own), row.get("lower").asDouble(), 1e-6);
        assertEquals(mean(own), row.get("upper").asDouble(), 1e-6);
        assertEquals(own.size(), row.at("/evidence/nMin").asLong());
        compared++;
      }
    }
    assertEquals(8, compared);
  }

  @Test
  void boundsAreOfTheRewardsOwnRange() throws IOException {
    JsonNode ofShares = bounds(0, log(false), "--mean-reward");
    spec = spec.replace("range: [0, 1]", "range: [-2, 6]");
    String[] lines = log(false).split("\n", -1);
    for (int line = 1; line <= ROWS; line++) {
      int comma = lines[line].lastIndexOf(',') + 1;
      double share = Double.parseDouble(lines[line].substring(comma));
      lines[line] = lines[line].substring(0, comma) + (8 * share - 2);
    }
    JsonNode bounds = bounds(0, String.join("\n", lines), "--mean-reward");
    for (int row = 0; row < bounds.get("bounds").size(); row++) {
      for (String end : List.of("lower", "upper")) {
        double share = ofShares.get("bounds").get(row).get(end).asDouble();
        assertEquals(8 * share - 2, bounds.get("bounds").get(row).get(end).asDouble(), 1e-5);
      }
    }
  }

  @Test
  void theCorrectionIsThatOfTheEmpiricalBernsteinBoundOverAllCells() throws IOException {
    JsonNode report = bounds(0, log(false), "--mean-reward");
    double logs = Math.log(4 * CELLS / .05);
    for (JsonNode row : report.get("bounds")) {
      List<Double> own = of(row);
      if (own.isEmpty()) {
        assertEquals(0, row.get("lower").asDouble());
        assertEquals(1, row.get("upper").asDouble());
        continue;
      }
      assertEquals(mean(own) - reach(own, logs), row.get("lower").asDouble(), 1e-4);
      assertEquals(mean(own) + reach(own, logs), row.get("upper").asDouble(), 1e-4);
    }
  }

  /** Rows of the other arm count as 0 for the lower end and as 1 for the upper. */
  @Test
  void aConfoundedArmHasTheBoundsThatNeedNoAssumption() throws IOException {
    spec = spec.replace("{M X} -> R", "{M X A} -> R; A <-> R");
    String log = log(false);
    JsonNode exact = bounds(0, log, "--mean-reward", "--delta", "0");
    JsonNode sampled = bounds(0, log, "--mean-reward");
    double logs = Math.log(4 * 2 * CELLS / .05);
    int compared = 0;
    for (int i = 0; i < exact.get("bounds").size(); i++) {
      JsonNode row = exact.get("bounds").get(i);
      List<Double> own = of(row);
      if (own.isEmpty()) {
        continue;
      }
      JsonNode context = row.get("context");
      String other = row.get("arm").asText().equals("A=left") ? "A=right" : "A=left";
      int others =
          rewards.get(other + context.get("S").asText() + context.get("X").asText()).size();
      List<Double> low = new ArrayList<>(own);
      List<Double> high = new ArrayList<>(own.stream().map(it -> 1 - it).toList());
      for (int missing = 0; missing < others; missing++) {
        low.add(0.);
        high.add(0.);
      }
      assertEquals(mean(low), row.get("lower").asDouble(), 1e-6);
      assertEquals(1 - mean(high), row.get("upper").asDouble(), 1e-6);
      JsonNode wide = sampled.get("bounds").get(i);
      assertEquals(mean(low) - reach(low, logs), wide.get("lower").asDouble(), 1e-4);
      assertEquals(1 - mean(high) + reach(high, logs), wide.get("upper").asDouble(), 1e-4);
      compared++;
    }
    assertEquals(8, compared);
  }

  @Test
  void aSetThatCouldNotBePublishedIsRefusedBeforeRowsAreRead() throws IOException {
    String log = "S,X,A,M,R\n";
    refused(log, "--number must be at least 1", "--number", "0");
    refused(log, "--name: the name may contain letters, digits", "--name", "a b");
    String file = directory.resolve(".").resolve("log.csv").toString();
    refused(log, "is given twice, and its rows would count twice", "--input", file);
    refused(
        "S,X,A,M,R,n\na,low,left,1,0,0\n",
        "the log has no row with a weight above 0 in column n",
        "--weight",
        "n");
  }

  private void refused(String log, String message, String... arguments) throws IOException {
    err.getBuffer().setLength(0);
    JsonNode unused = bounds(2, log, arguments);
    assertTrue(err.toString().contains(message), err::toString);
  }

  private static double reach(List<Double> values, double logs) {
    double mean = mean(values);
    double n = values.size();
    double squares = values.stream().mapToDouble(it -> (it - mean) * (it - mean)).sum();
    return Math.sqrt(2 * squares / (n - 1) * logs / n) + 7 * logs / (3 * (n - 1));
  }

  @Test
  void aBinaryRewardHasTheSameMeanEitherWay() throws IOException {
    JsonNode binary = bounds(0, log(true), "--delta", "0");
    JsonNode mean = bounds(0, log(true), "--delta", "0", "--mean-reward");
    for (int row = 0; row < binary.get("bounds").size(); row++) {
      double expected = binary.get("bounds").get(row).get("upper").asDouble();
      assertEquals(expected, mean.get("bounds").get(row).get("upper").asDouble(), 1e-12);
    }
  }

  @Test
  void aNumberOutsideOfTheRangeAndOtherModesAreRefused() throws IOException {
    bounds(2, log(false) + "a,low,left,1,1.25\n", "--mean-reward");
    String place = "log.csv, line " + (ROWS + 2) + ": R is 1.25; it must be a number from 0 to 1";
    assertTrue(err.toString().contains(place), err::toString);
    bounds(2, log(false));
    assertTrue(err.toString().contains("unless --mean-reward is given"), err::toString);
    bounds(2, log(false), "--mean-reward", "--mode", "PAPER");
    assertTrue(err.toString().contains("mean rewards require mode SOUND"), err::toString);
  }

  @Test
  void flinkLogsErrorsOnly() throws IOException {
    System.clearProperty(QuietLog.LEVEL);
    bounds(2, "S,X\n");
    assertEquals("ERROR", System.getProperty(QuietLog.LEVEL));
  }

  @Test
  void theReachIsExceededSeldomerThanItsErrorSays() {
    long seed = 5;
    SplittableRandom random = new SplittableRandom(seed);
    int trials = Tier.count(1000, 100_000);
    int missed = 0;
    for (int trial = 0; trial < trials; trial++) {
      int n = 5 + random.nextInt(60);
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < n; i++) {
        double value = random.nextInt(4) == 0 ? random.nextDouble() : 0;
        sum += value;
        squares += value * value;
      }
      double reach = EmpiricalBernstein.reach(n, sum / n, squares / n, .2);
      missed += Math.abs(sum / n - .125) > reach ? 1 : 0;
    }
    assertTrue(missed <= .2 * trials, missed + " of " + trials + ", seed " + seed);
  }
}
