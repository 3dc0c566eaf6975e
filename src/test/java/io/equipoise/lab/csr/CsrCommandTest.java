package io.equipoise.lab.csr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import io.equipoise.lab.verbs.ReplicateCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CsrCommandTest {
  private static final String TRIALS = Tier.isFull() ? "300" : "10";

  @TempDir private Path directory = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of("csr"));
    all.addAll(List.of(arguments));
    return new CommandLine(new ReplicateCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }

  private JsonNode json(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--json", "-"));
    assertEquals(0, run(all.toArray(String[]::new)), out.toString() + err);
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void theFirstFigureHasARowForEachPolicyInstanceAndModeWithinItsReference() throws IOException {
    JsonNode report = json("--figure", "3", "--trials", TRIALS, "--T", "2000,10000");
    Map<String, Double> error = new TreeMap<>();
    for (JsonNode row : report.get("rows")) {
      String key = row.get("policy").asText() + " " + row.get("instance").asText();
      key += " " + row.get("mode").asText() + " " + row.get("T").asInt();
      error.put(key, row.get("error_mean").asDouble());
      assertEquals(Integer.parseInt(TRIALS), row.get("error_n").asInt());
      assertTrue(row.has("error_se"));
    }
    assertEquals(4 * 3 * 2 * 2, error.size());
    assertTrue(error.get("csr-v2 tight separate 10000") < error.get("csr-v1 tight separate 10000"));
    assertEquals(48 + 8, report.get("checks").size() + report.get("skipped").size());
    assertTrue(report.get("checks").size() >= 48 + 4, "few trials need not show every order");
  }

  @Test
  void whereNoArmIsFairTheErrorIsToNameOne() throws IOException {
    JsonNode report = json("--figure", "nofair", "--trials", TRIALS, "--T", "10000");
    for (JsonNode row : report.get("rows")) {
      double named = 1 - row.get("none_mean").asDouble();
      assertEquals(named, row.get("error_mean").asDouble(), 1e-12);
      assertEquals(named, row.get("unfair_mean").asDouble(), 1e-12);
    }
  }

  @Test
  void trialsDependOnTheirSeedAlone() throws IOException {
    String[] two = {"--figure", "6", "--trials", "2", "--T", "2000"};
    JsonNode both = json(two).get("rows");
    JsonNode first = json("--figure", "6", "--trials", "1", "--T", "2000").get("rows");
    JsonNode second =
        json("--figure", "6", "--trials", "1", "--T", "2000", "--first-seed", "2").get("rows");
    for (int row = 0; row < both.size(); row++) {
      double mean =
          (first.get(row).get("error_mean").asDouble()
                  + second.get(row).get("error_mean").asDouble())
              / 2;
      assertEquals(mean, both.get(row).get("error_mean").asDouble(), 1e-12);
    }
    assertEquals(both, json(two).get("rows"));
  }

  @Test
  void everyInstanceAndModeHasItsPlot() throws IOException {
    Path plot = directory.resolve("errors.svg");
    run("--figure", "3", "--trials", "1", "--T", "600", "--plot", plot.toString());
    for (String instance : List.of("none", "loose", "tight")) {
      for (String mode : List.of("separate", "natural")) {
        boolean isFirst = instance.equals("none") && mode.equals("separate");
        String name = isFirst ? "errors.svg" : "errors-" + instance + "-" + mode + ".svg";
        assertTrue(Files.size(directory.resolve(name)) > 1000, name);
      }
    }
  }

  @Test
  void whatCannotBeRunIsRefusedWithTheReason() throws IOException {
    assertEquals(2, run("--figure", "5"));
    assertTrue(err.toString().contains("--figure 5 needs --bif"), err.toString());
    assertEquals(2, run("--figure", "4"));
    assertTrue(err.toString().contains("'4' is not one of [3, 5, 6, nofair]"), err.toString());
    assertEquals(2, run("--trials", "0"));
    assertEquals(2, run("--T", "0"));
    assertEquals(
        2, run("--T", "40", "--trials", "1"), "too few samples to certify anything under tight");
    assertTrue(err.toString().contains("no arm can be certified"), err.toString());
    Path bif = Files.writeString(directory.resolve("other.bif"), "network n { }\n");
    assertEquals(2, run("--figure", "5", "--bif", bif.toString()));
    assertTrue(err.toString().contains("other.bif"), err.toString());
  }
}
