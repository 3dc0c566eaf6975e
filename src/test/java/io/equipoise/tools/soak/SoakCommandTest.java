package io.equipoise.tools.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SoakCommandTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... arguments) {
    return new CommandLine(new SoakCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .execute(arguments);
  }

  /** So short a load is all warm-up; what is measured is there nevertheless. */
  @Test
  void aShortLoadIsMeasuredDrawnAndNotChecked() throws Exception {
    Path plot = directory.resolve("soak.svg");
    int code =
        execute(
            "--minutes",
            "0.1",
            "--every",
            "1",
            "--rate",
            "50",
            "--json",
            "-",
            "--plot",
            plot.toString());
    assertEquals(2, code, err.toString());
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertEquals("NOT_CHECKED", result.get("verdict").asText());
    JsonNode sample = result.get("samples").get(result.get("samples").size() - 1);
    assertTrue(sample.get("heapBytes").asLong() > 1_000_000, sample.toString());
    assertTrue(sample.get("threads").asLong() > 10, sample.toString());
    assertTrue(sample.get("stateBytes").asLong() > 0, sample.toString());
    assertTrue(sample.get("segments").asLong() > 10, sample.toString());
    assertTrue(Files.size(plot) > 1_000);
  }

  @Test
  void aRuleThatTheSpecCannotHaveIsRefused() {
    assertEquals(2, execute("--idle-after", "3"));
    assertTrue(err.toString().contains("--idle-after must be at least 10"), err.toString());
    assertEquals(2, execute("--rate", "0"));
  }
}
