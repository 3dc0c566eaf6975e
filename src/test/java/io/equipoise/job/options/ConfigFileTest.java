package io.equipoise.job.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.equipoise.Tier;
import io.equipoise.cli.Failures;
import io.equipoise.cli.InvalidOptionsException;
import io.equipoise.hostile.OneEdit;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

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
    var read = read(file);
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
    assertEquals("absent.yaml does not exist; check the path", refusal(Path.of("absent.yaml")));
  }

  @Test
  void aDeviceIsRefused() {
    assumeTrue(Files.exists(Path.of("/dev/zero")));
    assertEquals(
        "/dev/zero: is a device or a pipe; give a regular file", refusal(Path.of("/dev/zero")));
  }

  private static Configuration read(Path file) {
    return ConfigFile.read(file, section -> null);
  }

  private static String refusal(Path file) {
    return Failures.line(assertThrows(UncheckedIOException.class, () -> read(file)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a: b\\n bad: [        | , line 2: a second colon, or another indentation
          a: [1,2\\np: hunter2  | , line 2: a missing comma or bracket; write
          p: *hunter2           | , line 1: an anchor or a tag; write the value
          p: !hunter2 x         | , line 1: an anchor or a tag; write the value
          p: [!hunter2 x]       | , line 1: an anchor or a tag; write the value
          p: &hunter2 x         | , line 1: an anchor or a tag; write the value
          p: !!int 4            | , line 1: an anchor or a tag; write the value
          p: !!java.util.Date {a: 1} | , line 1: an anchor or a tag; write the value
          a: 1\\np: {q: }       | , line 2: p.q has no value; write one, or remove
          p: {q: null}          | , line 1: p.q has no value; write one, or remove
          p: !a!hunter2 x       | , line 1: a character or word that must be quoted
          a: 1\\np: \u0001 2        | , line 2: a control character; write lines of NAME: VALUE
          a: 1\\np: 2\\na: 3      | , line 3: a is set a second time; remove one
          p: {a: 1}\\np.a: 3     | , line 2: p.a is set a second time; remove one
          p: [{a: hunter2}]     | , line 1: a list contains texts only
          - hunter2             | : is not a mapping of names to values
          """)
  void whereAFileIsNoYamlIsSaidWithoutAnyValue(String text, String told, @TempDir Path directory)
      throws Exception {
    var file = directory.resolve("settings.yaml");
    Files.writeString(file, text.replace("\\n", "\n"));
    String message = refusal(file);
    assertTrue(message.startsWith(file + told), message);
    assertEquals(1, message.lines().count(), message);
    assertFalse(message.contains("hunter2"), message);
  }

  /** A deployment 010 would read the topics of 10, and a password 0644 would be 644. */
  @Test
  void valuesAreTextsAsWritten(@TempDir Path directory) throws Exception {
    for (String value : List.of("010", "0644", "0x1F", "1.10", "1e3", "1_000", "yes", "0o17")) {
      var file = Files.writeString(directory.resolve("settings.yaml"), "a: {b: " + value + "}");
      assertEquals(Map.of("a.b", value), read(file).toMap());
    }
    var file = Files.writeString(directory.resolve("settings.yaml"), "\uFEFFa: [010, 1.10]");
    assertEquals(
        List.of("010", "1.10"),
        read(file).get(ConfigOptions.key("a").stringType().asList().noDefaultValue()));
    Files.write(file, "a: \u00e4".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(file + ", line 1: bytes that are no UTF-8; save it as UTF-8", refusal(file));
  }

  /** Without its tokens a gateway would be open. */
  @Test
  void anUnknownSectionIsRefusedWithASuggestion() {
    var given = new Configuration();
    given.setString("equipoise.deployment", "shop");
    given.setString("kafka.bootstrap.servers", "localhost:9092");
    given.setString("gatway.tokens-file", "tokens");
    given.setString("gateway", "open");
    given.setString("execution.checkpointing.interval", "1 s");
    var refused = assertThrows(InvalidOptionsException.class, () -> JobConfig.from(given));
    assertEquals(
        List.of(
            "gateway: given one value; allowed: equipoise, gateway, console, kafka and"
                + " schema.registry with their options, and Flink's",
            "gatway: given an unknown section; allowed: equipoise, gateway, console, kafka and"
                + " schema.registry with their options, and Flink's; did you mean gateway?"),
        refused.faults());
  }

  @Test
  void everySectionOfFlinkIsKnown() throws Exception {
    for (Class<?> options :
        List.of(
            CheckpointingOptions.class,
            CoreOptions.class,
            HighAvailabilityOptions.class,
            JobManagerOptions.class,
            ResourceManagerOptions.class,
            RestOptions.class,
            SecurityOptions.class,
            TaskManagerOptions.class,
            WebOptions.class)) {
      for (Field field : options.getFields()) {
        if (field.get(null) instanceof ConfigOption<?> option && option.key().contains(".")) {
          String section = option.key().substring(0, option.key().indexOf('.'));
          assertTrue(OptionReader.SECTIONS.contains(section), option.key());
        }
      }
    }
  }

  @Test
  void anEditedFileIsRefusedOrReadWithEveryTextAsWritten(@TempDir Path directory) throws Exception {
    int edits = Tier.count(300, 10_000);
    var edit =
        new OneEdit(
            List.of(
                "equipoise:\n  deployment: 010\n  specs: [a.yaml, 'b c']\nkafka.x: 1.10\n",
                "a: {b: 0x1F, c: \"d\"}\nweb:\n  submit:\n    enable: false # no\n"),
            ":#,-[]{}\"'&*!|>%@`?\\ \n\t01.\u00e4\u00a0\u0000\uFEFF");
    var random = new SplittableRandom(41);
    var load = new Load(LoadSettings.builder().build());
    int read = 0;
    for (int i = 0; i < edits; i++) {
      String text = edit.next(random);
      var file = Files.writeString(directory.resolve("settings.yaml"), text);
      Map<String, String> found;
      try {
        found = read(file).toMap();
      } catch (UncheckedIOException e) {
        continue;
      }
      read++;
      Map<String, Object> expected = new TreeMap<>();
      flatten("", load.loadFromString(text.replaceFirst("^\uFEFF", "")), expected);
      assertEquals(expected.keySet(), new TreeMap<>(found).keySet(), text);
      expected.forEach((name, value) -> assertIsWritten(value, found.get(name), load));
    }
    assertTrue(read > edits / 20, "read " + read);
    Tier.found(ConfigFileTest.class, "edited configurations read", read + " of " + edits);
  }

  /** A number is a text that YAML would read as this number. */
  private static void assertIsWritten(Object value, Object text, Load load) {
    if (value instanceof List<?> items) {
      List<?> texts =
          text instanceof List<?> list ? list : (List<?>) load.loadFromString("" + text);
      assertEquals(items.size(), texts.size());
      for (int i = 0; i < items.size(); i++) {
        assertIsWritten(items.get(i), texts.get(i), load);
      }
    } else {
      assertEquals(value, value instanceof String ? text : load.loadFromString("" + text));
    }
  }

  private static void flatten(String name, @Nullable Object value, Map<String, Object> to) {
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (key, nested) -> flatten(name.isEmpty() ? "" + key : name + "." + key, nested, to));
    } else if (value != null) {
      to.put(name, value);
    }
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
    assertEquals(
        2,
        flink.get(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS),
        "a former leader may delete the oldest");
    assertEquals("exponential-delay", flink.get(RestartStrategyOptions.RESTART_STRATEGY));
  }
}
