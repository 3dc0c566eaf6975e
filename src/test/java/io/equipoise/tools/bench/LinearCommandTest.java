package io.equipoise.tools.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LinearCommandTest {
  /** Speed is not asserted: the machine may be busy. That both choose alike is. */
  @Test
  void theLibraryChoosesAsThePlainLoopDoesInEveryWorkload() throws IOException {
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new Bench())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(new StringWriter(), true))
            .execute(
                "linear",
                "--turns",
                "0",
                "--turn-millis",
                "5",
                "--warm-millis",
                "5",
                "--json",
                "-");
    assertEquals(0, code);
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertEquals(5, report.get("workloads").size());
    for (JsonNode workload : report.get("workloads")) {
      assertEquals(0, workload.get("differentChoices").asLong(), workload::toString);
      assertTrue(workload.get("ratio").asDouble() > 0, workload::toString);
      assertTrue(workload.get("textbookRatio").asDouble() > 0, workload::toString);
      assertTrue(workload.get("nanosARound").get("LIBRARY").asDouble() > 0, workload::toString);
      assertTrue(workload.get("widthsComputedARound").asDouble() >= 1, workload::toString);
    }
    assertEquals(4, report.get("audited").size());
    for (JsonNode workload : report.get("audited")) {
      assertTrue(workload.get("ratio").asDouble() > 0, workload::toString);
      assertEquals(2, workload.get("nanosARound").size(), workload::toString);
    }
  }
}
