package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CausalBenchCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new CausalBenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void theReportComparesEachSizeWithTheNaiveReference() throws IOException {
    assertEquals(
        0,
        run(
            "--turns",
            "0",
            "--turn-millis",
            "5",
            "--warm-millis",
            "5",
            "--graphs",
            "3",
            "--nodes",
            "100,200",
            "--json",
            "-"),
        err::toString);
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertEquals(2, report.get("separation").size());
    for (JsonNode row : report.get("separation")) {
      double ratio = row.get("naive_separated_ms").asDouble() / row.get("separated_ms").asDouble();
      assertEquals(ratio, row.get("separated_ratio").asDouble(), 1e-9);
      assertTrue(row.get("minimal_ratio").asDouble() > 0, row::toString);
    }
    assertEquals(3, report.at("/identification/graphs").asInt());
    assertTrue(report.at("/identification/median_ms").asDouble() > 0, report::toString);
  }

  @Test
  void numbersThatCannotBeAreRefused() {
    assertEquals(2, run("--nodes", "10"));
    assertEquals(2, run("--turns", "-1"));
  }
}
