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

class PassthroughCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Tag("full")
  @Test
  void theReportIsOneRatioAndBothJobsHaveWrittenAlike() throws Exception {
    assertEquals(
        0,
        run(
            "--records",
            "2400",
            "--warm-ups",
            "0",
            "--runs",
            "1",
            "--segments",
            "3",
            "--parallelism",
            "2",
            "--json",
            "-"),
        err::toString);
    JsonNode report = new ObjectMapper().readTree(out.toString());
    List<String> keys = new ArrayList<>();
    report.fieldNames().forEachRemaining(keys::add);
    assertEquals(List.of("ratio", "bytesPerRecord", "detail"), keys);
    assertTrue(report.get("ratio").doubleValue() > 0);
    assertLean(report, "decision", 450);
    assertLean(report, "segmentEvent", 290); // few rewards for every adoption, which lists the arms
    assertLean(report, "audit", 280);

    JsonNode detail = report.get("detail");
    assertEquals(1, detail.at("/FULL/inputsPerSecond").size());
    assertEquals(2, detail.at("/settings/parallelism").intValue());
    assertTrue(detail.at("/sharesOfProcessorTime/FULL").size() > 0);
    double all = detail.at("/FULL/processorMicrosPerInput").doubleValue();
    double broker = detail.at("/FULL/brokerMicrosPerInput").doubleValue();
    assertTrue(broker > 0 && broker < all / 2, broker + " us of " + all);
    JsonNode full = detail.at("/FULL/committed");
    assertEquals(1200, full.at("/DECISIONS/records").longValue());
    assertEquals(1200, full.at("/AUDIT/records").longValue());
    // Adoptions; and two tables a segment are refuted, since rewards come as of arms not chosen.
    long refuted = 2 * 3;
    assertEquals(1200 + 3 + refuted, full.at("/SEGMENT_EVENTS/records").longValue());
    assertEquals(3, full.at("/METRICS/records").longValue());
    assertEquals(0, full.at("/DEAD_LETTER/records").longValue());
    for (String identity : List.of("IDENTITY", "IDENTITY_OF_BYTES")) {
      JsonNode other = detail.at("/" + identity + "/committed");
      full.fieldNames()
          .forEachRemaining(
              topic -> {
                assertEquals(
                    full.at("/" + topic + "/records").longValue(),
                    other.at("/" + topic + "/records").longValue()
                        + (topic.equals("SEGMENT_EVENTS") ? refuted : 0),
                    topic);
                double bytes = full.at("/" + topic + "/bytes").doubleValue();
                assertEquals(
                    bytes, other.at("/" + topic + "/bytes").doubleValue(), 0.05 * bytes, topic);
              });
    }
  }

  @Tag("full")
  @Test
  void twoSpecsRunInTurn() throws Exception {
    String spec = "flink-conf/specs/email-f-ucb.yaml";
    assertEquals(
        0,
        run(
            ("--records 1200 --warm-ups 0 --runs 2 --segments 3 --json - --against-spec " + spec)
                .split(" ")),
        err::toString);
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertEquals("f-ucb", report.at("/jobs/0/name").textValue());
    assertEquals(spec, report.at("/jobs/1/name").textValue());
    assertEquals(report.at("/jobs/0/bytesPerRecord"), report.at("/jobs/1/bytesPerRecord"));
    assertTrue(report.at("/ratios/processorTime/median").doubleValue() > 0);
  }

  private static void assertLean(JsonNode report, String record, double most) {
    double bytes = report.at("/bytesPerRecord/" + record).doubleValue();
    assertTrue(bytes > 0 && bytes <= most, record + ": " + bytes);
  }

  @Test
  void aBenchmarkOfNothingIsRefused() {
    assertEquals(2, run("--records", "0"));
  }

  @Test
  void aComparisonTakesNoSpecAndKnownPolicies() {
    assertEquals(2, run("--against", ".", "--spec", "flink-conf/specs/email-f-ucb.yaml"));
    assertTrue(
        err.toString().contains("--against excludes --spec and --against-spec"), err.toString());
    assertEquals(2, run("--policy", "cclb"));
    assertTrue(
        err.toString().contains("--policy cclb must be one of [f-ucb, screen, linucb]"),
        err.toString());
  }

  private int run(String... arguments) {
    return new CommandLine(new PassthroughCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
