package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LatencyCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /**
   * How many contexts a second brings and how long they wait is not asserted: the machine may be
   * busy. The command fails if one of them has no decision.
   */
  @Tag("full")
  @Test
  void everyContextOfBothJobsIsMeasured() throws Exception {
    String load =
        "--rates 100 --delivery at-least-once --broker-warm-up 0 --cold 1 --seconds 0 --segments 3"
            + " --json -";
    assertEquals(0, run(load.split(" ")), err::toString);
    List<String> rows = new ArrayList<>();
    for (JsonNode row : new ObjectMapper().readTree(out.toString()).get("rows")) {
      rows.add(row.get("job").asText() + " " + row.get("phase").asText());
      assertTrue(row.get("contexts").asInt() >= 1, row::toString);
      assertTrue(row.get("p50").asDouble() >= 0, row::toString);
      assertTrue(row.get("p50").asDouble() <= row.get("max").asDouble(), row::toString);
      assertTrue(
          row.get("firstAnswer").asLong() <= row.get("max").asDouble() + 1000, row::toString);
    }
    assertEquals(List.of("FULL COLD", "IDENTITY COLD"), rows);
  }

  @Test
  void aLoadOfNothingIsRefused() {
    assertEquals(2, run("--rates", "20,0"));
    assertEquals(2, run("--cold", "30", "--warm-up", "10"));
    assertTrue(err.toString().contains("--warm-up must be at least --cold"), err.toString());
  }

  private int run(String... arguments) {
    return new CommandLine(new LatencyCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
