package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BoundsBenchTest {
  @TempDir private Path directory = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new BoundsBenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Tag("full")
  @Test
  void theRatioIsOnTopAndTheRestUnderDetail() throws Exception {
    assertEquals(0, run("--rows", "5000", "--runs", "1", "--json", "-"), err::toString);
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertEquals(List.of("ratio", "detail"), names(report));
    JsonNode detail = report.get("detail");
    double ratio = detail.get("rowsPerSecond").asDouble();
    ratio /= detail.get("plainRowsPerSecond").asDouble();
    assertEquals(ratio, report.get("ratio").asDouble(), 1e-9);
    assertEquals(5000, detail.get("rows").asLong());
    assertTrue(detail.get("maxHeapBytes").asLong() <= 256L << 20, detail::toString);
    assertTrue(detail.get("peakHeapBytes").asLong() > 1 << 20, detail::toString);
  }

  private static List<String> names(JsonNode report) {
    return report.properties().stream().map(Map.Entry::getKey).toList();
  }

  @Test
  void equalSeedsDrawEqualLogsAndThePlainLoopCountsEveryRow() throws Exception {
    Path one = directory.resolve("one.csv");
    Path other = directory.resolve("other.csv");
    BoundsWorkload.write(one, 3000, 7);
    BoundsWorkload.write(other, 3000, 7);
    assertEquals(-1, Files.mismatch(one, other));
    BoundsWorkload.write(other, 3000, 8);
    assertTrue(Files.mismatch(one, other) >= 0);
    Map<String, Long> counts = BoundsRounds.count(one, List.of("I1", "Y"));
    assertEquals(4, counts.size());
    assertEquals(3000, counts.values().stream().mapToLong(it -> it).sum());
    long both = Files.readAllLines(one).stream().filter(line -> line.endsWith("1,1")).count();
    assertEquals(both, counts.get("1,1,"));
  }

  @Test
  void numbersThatCannotBeAreRefused() {
    assertEquals(2, run("--rows", "0"));
    assertEquals(2, run("--heap", "1"));
    assertTrue(err.toString().contains("--heap at least 64"), err::toString);
  }
}
