package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ScaleCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void everySegmentHasAnInputAndTheStateIsRestored() throws Exception {
    assumeTrue(Tier.isFull(), "takes 16 seconds: mvn verify -Pfull");
    String size = "--segments 300 --parallelism 2 --records 2 --warm-ups 0 --backend rocksdb";
    assertEquals(0, run((size + " --json -").split(" ")), err::toString);
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertEquals("rocksdb", report.at("/settings/backend").asText());
    assertEquals(1, report.get("rows").size());
    JsonNode row = report.get("rows").get(0);
    assertEquals(300, row.get("segments").asInt());
    assertEquals(600, row.get("inputs").asInt());
    double state = row.get("stateBytes").asDouble();
    assertTrue(state > 300 * 1_000, row::toString); // all segments have state
    assertEquals(state / 300, row.get("stateBytesPerSegment").asDouble());
    assertTrue(row.get("inputsPerSecond").asDouble() > 0, row::toString);
    assertTrue(row.get("restoreMillis").asLong() > 0, row::toString);
  }

  @Test
  void noSegmentsAreRefused() {
    assertEquals(2, run("--segments", "4,0"));
    assertEquals(2, run("--backend", "disk"));
  }

  private int run(String... arguments) {
    return new CommandLine(new ScaleCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .execute(arguments);
  }
}
