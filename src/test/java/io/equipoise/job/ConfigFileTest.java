package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
            allowed-skew: 1 min
          specs: [one.yaml, two.yaml]
        equipoise.deployment: shop
        kafka:
          sasl.jaas.config: a.b.Module required username="me";
        empty:
        """);
    var read = ConfigFile.read(file);
    assertEquals(
        Map.of(
            "equipoise.time.allowed-skew", "1 min",
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
    assertEquals("no file of settings to read at absent.yaml", refused.getMessage());
  }

  @Test
  void theShippedFilesAreAValidConfiguration() {
    var given = ConfigFile.read(SHIPPED.resolve("config.yaml"));
    given.addAll(ConfigFile.read(SHIPPED.resolve("equipoise.yaml")));
    var config = JobConfig.from(given);
    assertEquals("demo", config.topics().deployment());
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
