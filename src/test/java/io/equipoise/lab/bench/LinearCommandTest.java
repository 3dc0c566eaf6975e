package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LinearCommandTest {
  /**
   * Speed is not asserted: the machine may be busy. That both choose alike is. Each candidate has a
   * JVM of its own, so that CI leaves out three of the audited workloads.
   */
  @Test
  void theLibraryChoosesAsThePlainLoopDoesInEveryWorkload() throws IOException {
    List<JsonNode> workloads = new ArrayList<>();
    List<JsonNode> audited = new ArrayList<>();
    for (String only : Tier.isFull() ? List.of("") : List.of("i:", "v")) {
      JsonNode report = report(only);
      report.get("workloads").forEach(workloads::add);
      report.get("audited").forEach(audited::add);
    }
    assertEquals(Tier.count(1, 5), workloads.size());
    for (JsonNode workload : workloads) {
      assertEquals(0, workload.get("differentChoices").asLong(), workload::toString);
      assertTrue(workload.get("ratio").asDouble() > 0, workload::toString);
      assertTrue(workload.get("textbookRatio").asDouble() > 0, workload::toString);
      assertTrue(workload.get("nanosARound").get("LIBRARY").asDouble() > 0, workload::toString);
      assertTrue(workload.get("widthsComputedARound").asDouble() >= 1, workload::toString);
    }
    assertEquals(Tier.count(1, 4), audited.size());
    for (JsonNode workload : audited) {
      assertTrue(workload.get("ratio").asDouble() > 0, workload::toString);
      assertEquals(2, workload.get("nanosARound").size(), workload::toString);
    }
  }

  private static JsonNode report(String only) throws IOException {
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new Bench())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(new StringWriter(), true))
            .execute(
                "linear",
                "--only",
                only,
                "--turns",
                "0",
                "--turn-millis",
                "5",
                "--warm-millis",
                "5",
                "--json",
                "-");
    assertEquals(0, code);
    return new ObjectMapper().readTree(out.toString());
  }
}
