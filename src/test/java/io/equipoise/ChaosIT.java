package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code equipoise chaos} as packaged, with few faults of each kind. Recovery budgets are not held
 * against a machine that also runs the build; the command does that.
 */
class ChaosIT {
  private static final Path COMMAND = Path.of("target/equipoise/bin/equipoise").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  @TempDir private Path directory;

  @BeforeEach
  void onlyInTheTierOfChaos() {
    assumeTrue(Tier.isChaos(), "kills real processes: mvn verify -Pchaos");
  }

  @Test
  void nothingIsLostOrDoubledWhateverIsKilled() throws Exception {
    JsonNode result = chaos("kill-taskmanager:4,kill-jobmanager:2,kill-broker:2,kill-zookeeper");
    assertNothingViolated(result);
  }

  @Test
  void nothingIsLostOrDoubledWhenJobsAreRestartedOrProcessesHang() throws Exception {
    JsonNode result = chaos("rescale:2,upgrade,freeze-taskmanager,full-disk,slow-consumer");
    assertNothingViolated(result);
  }

  @Test
  void aSecondJobUnderTheSameDeploymentIsDetected() throws Exception {
    JsonNode row = chaos("twin-job").path("faults").path(0);
    assertTrue(row.path("violationsExpected").asBoolean());
    assertTrue(row.path("violations").size() > 0, row.toString());
  }

  private static void assertNothingViolated(JsonNode result) {
    assertTrue(result.path("contexts").asLong() > 0, result.toString());
    for (JsonNode row : result.path("faults")) {
      assertEquals(0, row.path("violations").size(), row.toString());
      Tier.found(ChaosIT.class, row.path("fault").asText() + ", times", row.path("times").asInt());
      Tier.found(
          ChaosIT.class,
          row.path("fault").asText() + ", seconds to recover at most",
          row.path("maxSeconds").asDouble());
    }
  }

  private JsonNode chaos(String faults) throws Exception {
    Path result = directory.resolve("result.json");
    Path log = directory.resolve("chaos.log");
    List<String> words = new ArrayList<>(List.of(COMMAND.toString(), "chaos", "--fault", faults));
    words.addAll(List.of("--dir", directory.resolve("chaos").toString()));
    words.addAll(List.of("--json", result.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "chaos does not end");
    } finally {
      process.destroy(); // which ends its cluster
      process.waitFor();
    }
    assertTrue(Files.exists(result), Files.readString(log));
    return new ObjectMapper().readTree(result.toFile());
  }
}
