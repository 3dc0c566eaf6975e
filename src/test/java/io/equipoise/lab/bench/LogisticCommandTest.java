package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.lab.bench.LogisticCommand.Window;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LogisticCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new LogisticCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void theStateHasTheSameSizeInEveryWindow() throws Exception {
    assertEquals(
        0,
        run(
            "--no-forked",
            "--rounds",
            "800",
            "--windows",
            "4",
            "--policy",
            "forced-exploration",
            "--json",
            "-"));
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertEquals(800, report.get("rounds").intValue());
    everyWindowIsLikeTheFirst(report);
    everyWindowIsLikeTheFirst(report.get("ridge"));
  }

  private static void everyWindowIsLikeTheFirst(JsonNode report) {
    assertEquals(4, report.get("windows").size());
    int bytes = report.get("windows").get(0).get("stateBytes").intValue();
    for (JsonNode window : report.get("windows")) {
      assertEquals(bytes, window.get("stateBytes").intValue());
      assertTrue(window.get("microsPerRound").doubleValue() > 0);
    }
  }

  @Test
  void aStateThatGrowsIsNotFlat() {
    Window small = new Window(100, 1, 100);
    Window large = new Window(200, 1, 200);
    assertFalse(LogisticCommand.isFlat(List.of(small, large)));
    assertTrue(LogisticCommand.isFlat(List.of(large, large)));
  }

  @Test
  void theTableSaysTheSameAndWhatCannotBeMeasuredIsRefused() {
    assertEquals(0, run("--no-forked", "--rounds", "200", "--windows", "2", "--dimension", "8"));
    assertTrue(out.toString().contains("state bytes"), out::toString);
    assertEquals(2, run("--policy", "ucb"));
    assertEquals(2, run("--rounds", "1", "--windows", "2"));
    assertEquals(2, run("--dimension", "2"));
  }
}
