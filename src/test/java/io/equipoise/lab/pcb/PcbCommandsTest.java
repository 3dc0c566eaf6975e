package io.equipoise.lab.pcb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.lab.verbs.ReplicateCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PcbCommandsTest {
  @TempDir private Path directory = Path.of("");

  private final StringWriter err = new StringWriter();

  private JsonNode json(int exit, String... arguments) throws IOException {
    StringWriter out = new StringWriter();
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--json", "-"));
    int code =
        new CommandLine(new ReplicateCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    assertEquals(exit, code, err.toString());
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void tableOneHoldsAllItsChecks() throws IOException {
    JsonNode report = json(0, "pcb-table1", "--trials", "30");
    assertEquals(16, report.get("rows").size());
    assertEquals(24, report.get("checks").size());
    assertEquals(0.254166, report.get("rows").get(0).get("truth_mean").asDouble(), 1e-6);
  }

  @Test
  void figureThreeHoldsAllItsChecksAndDrawsTwoPanels() throws IOException {
    Path plot = directory.resolve("three.svg");
    JsonNode report = json(0, "pcb-figure3", "--trials", "50", "--plot", plot.toString());
    assertEquals(64, report.get("rows").size());
    assertTrue(Files.exists(plot));
    assertTrue(Files.exists(directory.resolve("three-sound.svg")));
  }

  @Test
  void figureFourNamesPoliciesAndBoundsAndSkipsWhatFewTrialsCannotTell() throws IOException {
    JsonNode report = json(2, "pcb-figure4", "--trials", "2", "--rounds", "1000");
    List<String> rows = new ArrayList<>();
    for (JsonNode row : report.get("rows")) {
      rows.add(row.get("policy").asText() + " " + row.get("bounds").asText());
      assertTrue(row.get("regret_mean").asDouble() > 0, row::toString);
      assertEquals(2, row.get("regret_n").asInt());
    }
    assertEquals(
        List.of(
            "linucb NONE",
            "linucb-pcb TABLE1",
            "linucb-pcb SOUND",
            "linucb-pcb SOUND_POOLED",
            "linucb-pcb SOUND_POOLED_CI",
            "linucb-biased NONE",
            "linucb-biased-adjusted NONE",
            "linucb-cp NONE"),
        rows);
    assertEquals(1, report.get("skipped").size());
    assertEquals(report, json(2, "pcb-figure4", "--trials", "2", "--rounds", "1000"));
  }

  @Test
  void boundsSaveOamAFifthOfItsRegret() throws IOException {
    JsonNode report = json(0, "oam", "--trials", "5");
    assertEquals(6, report.get("rows").size());
    assertTrue(report.get("checks").size() >= 8, report::toString);
  }

  @Test
  void roundsThatAreNoMultipleOfAHundredAreRefused() throws IOException {
    json(2, "pcb-figure4", "--rounds", "150");
    assertTrue(err.toString().contains("--rounds must be a multiple of 100"), err.toString());
  }
}
