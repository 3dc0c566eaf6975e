package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start looks at all spec files before it speaks to a broker: here there is none. */
class StartWithBadSpecsTest {
  private static final String JOIN = "{reward-window: 60s}";

  @TempDir private Path directory;

  @Test
  void specsThatDoNotCompileAreRefusedWithTheFaultsOfAllFilesAndPaths() throws Exception {
    String bare = "{range: [0, 1], default: {value: 0}}";
    String unknown = TestSpecs.dUcb().replaceAll("    M:\n(.*\n){6}", "");
    Path a = Files.createDirectories(directory.resolve("a"));
    Files.writeString(a.resolve("one.yaml"), unknown);
    Files.writeString(a.resolve("two.yaml"), TestSpecs.ucb().replace("seed: 11", "seed: x"));
    Path three =
        Files.writeString(
            directory.resolve("three.yml"),
            TestSpecs.text("d-ucb", 1, JOIN, bare, "reject").replace("name: test", "name: three"));
    SpecException refused =
        assertThrows(SpecException.class, () -> prepare(a + ";" + three + ";" + a));
    assertEquals(
        List.of(
            a.resolve("one.yaml").toString(),
            a.resolve("two.yaml").toString(),
            "one.yaml: distributions.M, line 13",
            "two.yaml: name",
            "two.yaml: segments",
            "two.yaml: seed, line 4",
            "three.yml: segments",
            "three.yml: reward.default.mediators, line 23"),
        refused.faults().stream().map(SpecFault::place).toList());
  }

  private static void prepare(String specs) throws InterruptedException {
    Configuration given =
        Configuration.fromMap(
            Map.of(
                "equipoise.deployment", "bad-specs",
                "kafka.bootstrap.servers", "127.0.0.1:1",
                "equipoise.specs", specs));
    JobConfig config = JobConfig.from(given);
    EquipoiseJob.prepare(
        config, StreamExecutionEnvironment.getExecutionEnvironment(config.flink()));
  }
}
