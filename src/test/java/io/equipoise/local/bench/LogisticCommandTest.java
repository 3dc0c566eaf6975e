package io.equipoise.local.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
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
        run("--rounds", "800", "--windows", "4", "--policy", "forced-exploration", "--json", "-"));
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
      assertTrue(window.get("medianMicrosPerRound").doubleValue() > 0);
    }
  }

  @Test
  void aStateThatGrowsIsNotFlat() {
    int[] rounds = {0};
    LongPlay growing =
        new LongPlay() {
          @Override
          public void round() {
            rounds[0]++;
          }

          @Override
          public int stateBytes() {
            return Math.min(rounds[0], 200);
          }

          @Override
          public boolean isFinite() {
            return rounds[0] < 900;
          }
        };
    assertFalse(isFlat(growing), "100, 200, 200 bytes");
    assertTrue(isFlat(growing));
    assertFalse(isFlat(growing), "no longer finite");
  }

  private static boolean isFlat(LongPlay play) {
    LogisticBench bench = new LogisticBench(play);
    return bench.isFlat(bench.run(300, 3));
  }

  @Test
  void theTableSaysTheSameAndWhatCannotBeMeasuredIsRefused() {
    assertEquals(0, run("--rounds", "200", "--windows", "2", "--dimension", "8"));
    assertTrue(out.toString().contains("state bytes"), out::toString);
    assertEquals(2, run("--policy", "ucb"));
    assertEquals(2, run("--rounds", "1", "--windows", "2"));
    assertEquals(2, run("--dimension", "2"));
  }
}
