package io.equipoise.job.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
  private static final Path SHIPPED = Path.of("flink-conf");

  @Test
  void nestedNamesAreJoinedByDots(@TempDir Path directory) throws Exception {
    var file = directory.resolve("settings.yaml");
    Files.writeString(
        file,
        """
        equipoise:
          time:
            max-clock-skew: 1 min
          specs: [one.yaml, two.yaml]
        equipoise.deployment: shop
        kafka:
          sasl.jaas.config: a.b.Module required username="me";
        empty:
        """);
    var read = ConfigFile.read(file);
    assertEquals(
        Map.of(
            "equipoise.time.max-clock-skew", "1 min",
            "equipoise.specs", "[one.yaml, two.yaml]",
            "equipoise.deployment", "shop",
            "kafka.sasl.jaas.config", "a.b.Module required username=\"me\";"),
        read.toMap());
    assertEquals(List.of("one.yaml", "two.yaml"), read.get(JobOptions.SPECS));
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    var refused =
        assertThrows(IllegalArgumentException.class, () -> ConfigFile.read(Path.of("absent.yaml")));
    assertEquals("no settings file at absent.yaml", refused.getMessage());
  }

  @Test
  void aDeviceIsRefused() {
    assumeTrue(Files.exists(Path.of("/dev/zero")));
    var refused =
        assertThrows(IllegalArgumentException.class, () -> ConfigFile.read(Path.of("/dev/zero")));
    assertTrue(refused.getMessage().contains("is a device or a pipe"), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a: b\\n bad: [        | : mapping values are not allowed here, line 2, column 5
          a: [1,2\\np: hunter2  | : while parsing a flow sequence, line 1, column 4, \
          expected ',' or ']', but got :, line 2, column 2
          p: *hunter2           | : found undefined alias, line 1, column 4
          p: !hunter2 x         | : could not determine a constructor for the tag, line 1, column 4
          p: !a!hunter2 x       | : while parsing a node, line 1, column 4, \
          found undefined tag handle, line 1, column 4
          - hunter2             | are not a mapping of names to values
          """)
  void whereAFileIsNoYamlIsSaidWithoutAnyValue(String text, String told, @TempDir Path directory)
      throws Exception {
    var file = directory.resolve("settings.yaml");
    Files.writeString(file, text.replace("\\n", "\n"));
    var refused = assertThrows(IllegalArgumentException.class, () -> ConfigFile.read(file));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(file + (told.startsWith(":") ? "" : " ") + told), message);
    assertFalse(message.contains("hunter2"), message);
  }

  @Test
  void theShippedFilesAreAValidConfiguration() {
    var given = ConfigFile.read(SHIPPED.resolve("config.yaml"));
    given.addAll(ConfigFile.read(SHIPPED.resolve("equipoise.yaml")));
    var config = JobConfig.from(given);
    assertEquals("demo", config.topics().deployment());
    given.removeConfig(CheckpointingOptions.CHECKPOINTING_TIMEOUT);
    given.removeConfig(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS);
    given.removeConfig(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER);
    assertEquals(config.flink(), JobConfig.from(given).flink(), "the job's own are the same");
    assertEquals("localhost:9092", config.kafka().getProperty("bootstrap.servers"));
  }

  @Test
  void theShippedFlinkSettingsAreReadByFlinkAsTheyAreByUs() {
    var flink = GlobalConfiguration.loadConfiguration(SHIPPED.toString());
    assertEquals(flink.toMap(), ConfigFile.read(SHIPPED.resolve("config.yaml")).toMap());
    assertEquals(Duration.ofMillis(500), flink.get(CheckpointingOptions.CHECKPOINTING_INTERVAL));
    assertEquals("hashmap", flink.get(StateBackendOptions.STATE_BACKEND));
    assertEquals("exponential-delay", flink.get(RestartStrategyOptions.RESTART_STRATEGY));
  }
}
