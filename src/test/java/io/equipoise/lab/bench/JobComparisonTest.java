package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.lab.bench.JobComparison.ComparedJob;
import io.equipoise.lab.bench.JobComparison.FullJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobComparisonTest {
  /** The shape of reports before there were other policies, shortened. */
  private static final String OLD_REPORT =
      """
{"ratio": 0.8, "detail": {"what": "older", "FULL": {
  "inputsPerSecond": [%d.0, 3000.0, 1000.0], "median": 2000.0, "processorMicrosPerInput": 80,
  "committed": {"OUTCOMES": {"records": 4, "bytes": 1504}, "AUDIT": {"records": 0, "bytes": 0}}}}}
""";

  @TempDir private Path directory;

  @Test
  void anOlderReportIsRead() throws Exception {
    FullJob full = FullJob.of(new ObjectMapper().readTree(OLD_REPORT.formatted(2000)));
    assertEquals(new FullJob(2000, 80, Map.of("OUTCOMES", 376.0)), full);
  }

  @Test
  void aReportWithoutTheFullJobIsRejected() {
    IllegalStateException rejected =
        assertThrows(
            IllegalStateException.class,
            () -> FullJob.of(new ObjectMapper().readTree("{\"ratio\": 1}")));
    assertEquals("the report has no detail.FULL.inputsPerSecond", rejected.getMessage());
  }

  @Test
  void theDistributionsRunInTurnWithTheSameArguments() throws Exception {
    Path ours = distribution("ours", "cp $HERE/report.json $5; echo ours $* >> $HERE/../../log");
    Path theirs =
        distribution("theirs", "cp $HERE/report.json $5; echo theirs $* >> $HERE/../../log");
    Files.writeString(ours.resolve("bin/report.json"), OLD_REPORT.formatted(4000));
    Files.writeString(theirs.resolve("bin/report.json"), OLD_REPORT.formatted(2000));
    List<String> progress = new ArrayList<>();
    BenchReport report =
        new JobComparison(
                ComparedJob.of(ours, List.of("passthrough", "--runs=1")),
                ComparedJob.of(theirs, List.of("passthrough", "--runs=1")),
                2,
                progress::add)
            .report();
    assertEquals(1.5, report.fields().get("ratio"));
    assertEquals(4, progress.size());
    List<String> log = Files.readAllLines(directory.resolve("log"));
    assertEquals(
        List.of(
            "ours bench passthrough --runs=1 --json",
            "theirs bench passthrough --runs=1 --json",
            "theirs bench passthrough --runs=1 --json",
            "ours bench passthrough --runs=1 --json"),
        log.stream().map(line -> line.replaceAll(" [^ ]*/report.json", "")).toList());
  }

  @Test
  void aFailedProcessIsReportedWithItsMessage() throws Exception {
    Path home = distribution("failing", "echo; echo Unknown option: --policy >&2; exit 2");
    IllegalStateException failed =
        assertThrows(
            IllegalStateException.class,
            () -> BenchProcess.run(home, List.of("passthrough", "--policy", "screen")));
    assertTrue(
        failed.getMessage().contains("ended with exit code 2: Unknown option: --policy"),
        failed.getMessage());
  }

  private Path distribution(String name, String script) throws IOException {
    Path home = directory.resolve(name);
    Path launcher = Files.createDirectories(home.resolve("bin")).resolve("equipoise");
    Files.writeString(launcher, "#!/bin/sh\nHERE=$(dirname \"$0\")\n" + script + "\n");
    assertTrue(launcher.toFile().setExecutable(true));
    return home;
  }
}
