package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.console.ConsoleSettings;
import io.equipoise.gateway.GatewayConfig;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.start.Launch;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.tools.EmbeddedBrokerProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kafka.server.KafkaConfig;
import org.apache.flink.client.cli.CliFrontendParser;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Holds docker-compose.yml against the code that reads its settings, without Docker. */
class ComposeTest {
  private static final Set<String> ONCE = Set.of("state-owner", "submit");

  private ComposeFile compose;

  @BeforeEach
  void read() throws IOException {
    compose = ComposeFile.read();
  }

  @Test
  void imagesAreThoseOfTheVersionsThatTheBuildUses() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    assertEquals("apache/kafka:" + property(pom, "kafka.version"), image("kafka"));
    String flink =
        "flink:"
            + property(pom, "flink.version")
            + "-java"
            + property(pom, "maven.compiler.release");
    for (String service : compose.names()) {
      assertTrue(
          Set.of("kafka", "prometheus").contains(service) || image(service).equals(flink), service);
    }
  }

  @Test
  void whatIsMountedIsInTheRepositoryOrMadeByTheBuildAndReadOnly() {
    for (String service : compose.names()) {
      for (String volume : compose.strings(service, "volumes")) {
        String[] parts = volume.split(":", -1);
        if (parts[0].startsWith(".")) {
          assertEquals("ro", parts[2], volume);
          assertTrue(
              parts[0].equals("./job/equipoise-job.jar")
                  || Files.exists(ComposeFile.inRepository(parts[0])),
              volume);
        } else {
          assertTrue(compose.volumes().contains(parts[0]), volume);
        }
      }
    }
  }

  @Test
  void portsAreOnLoopbackAndTheOnesThatTheShippedConfigurationNames() {
    List<String> ports = new ArrayList<>();
    for (String service : compose.names()) {
      ports.addAll(compose.strings(service, "ports"));
    }
    assertEquals(
        List.of(
            "127.0.0.1:8081:8081",
            "127.0.0.1:9249:9249",
            "127.0.0.1:9092:9092",
            "127.0.0.1:9250:9249"),
        ports);
    Configuration shipped = launch("--config", "flink-conf/equipoise.yaml");
    assertEquals("localhost:9092", shipped.toMap().get("kafka.bootstrap.servers"));
    assertEquals(8081, RestOptions.PORT.defaultValue());
  }

  @Test
  void theBrokerTakesItsSettings(@TempDir Path directory) {
    Map<String, String> properties = compose.brokerProperties();
    assertEquals("/var/lib/kafka/data", properties.put("log.dirs", directory.toString()));
    KafkaConfig config = new KafkaConfig(properties, false);
    assertEquals(
        properties.keySet(),
        Set.copyOf(
            properties.keySet().stream().filter(KafkaConfig.configNames()::contains).toList()),
        "the broker knows every setting");
    assertTrue(config.isKRaftCombinedMode());
    assertFalse(config.autoCreateTopicsEnable());
    long producers = config.getInt("producer.id.expiration.ms");
    assertTrue(producers > jobConfig().transactionTimeout().toMillis());
    assertEquals(6 * 3_600_000, config.getInt("transactional.id.expiration.ms"));
    assertTrue(
        config.getInt("transaction.max.timeout.ms") >= jobConfig().transactionTimeout().toMillis());
    String advertised = properties.get("advertised.listeners");
    assertTrue(advertised.contains("CLUSTER://" + jobConfig().kafka().get("bootstrap.servers")));
    assertTrue(advertised.contains("HOST://localhost:9092"), advertised);
  }

  /** What a broker of {@code equipoise cluster} is set to, but for places, ports and sizes. */
  @Test
  void theBrokerOfPlainProcessesHasTheSameSettings(@TempDir Path directory) {
    Map<String, String> plain = EmbeddedBrokerProperties.of(directory, 1, 2);
    Set<String> places =
        Set.of(
            "log.dirs",
            "listeners",
            "advertised.listeners",
            "listener.security.protocol.map",
            "inter.broker.listener.name",
            "controller.quorum.voters");
    compose
        .brokerProperties()
        .forEach(
            (name, value) -> {
              if (!places.contains(name)) {
                assertEquals(value, plain.get(name), name);
              }
            });
  }

  @Test
  void flinkTakesTheProcessesOptions() {
    Configuration jobManager = flink("jobmanager");
    assertEquals("jobmanager", jobManager.get(JobManagerOptions.ADDRESS));
    assertEquals(
        1L << 30,
        JobManagerProcessUtils.processSpecFromConfig(jobManager)
            .getTotalProcessMemorySize()
            .getBytes());
    assertEquals(
        "file:///state/checkpoints", jobManager.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY));
    assertEquals(
        "file:///state/savepoints", jobManager.get(CheckpointingOptions.SAVEPOINT_DIRECTORY));
    Configuration taskManager = flink("taskmanager");
    assertEquals(
        jobManager.get(JobManagerOptions.ADDRESS), taskManager.get(JobManagerOptions.ADDRESS));
    assertEquals(
        2L << 30,
        TaskExecutorProcessUtils.processSpecFromConfig(taskManager)
            .getTotalProcessMemorySize()
            .getBytes());
    assertEquals("6122", taskManager.get(TaskManagerOptions.RPC_PORT));
    assertEquals(4, taskManager.get(TaskManagerOptions.NUM_TASK_SLOTS));
  }

  @Test
  void theSubmitCommandIsUnderstoodByFlinkAndByTheJob() throws Exception {
    List<String> run = compose.runArguments();
    assertEquals(List.of("run", "-d"), run.subList(0, 2));
    var options = CliFrontendParser.getRunCommandOptions();
    options.addOption(
        org.apache.commons.cli.Option.builder("t").longOpt("target").hasArg().build());
    options.addOption(
        org.apache.commons.cli.Option.builder("D").numberOfArgs(2).valueSeparator('=').build());
    var parsed =
        CliFrontendParser.parse(options, run.subList(1, run.size()).toArray(new String[0]), true);
    assertEquals(List.of(), parsed.getArgList());
    assertEquals("remote", parsed.getOptionValue("target"));
    var settings = parsed.getOptionProperties("D");
    assertEquals("jobmanager", settings.getProperty(RestOptions.ADDRESS.key()));
    assertEquals("4", settings.getProperty(CoreOptions.DEFAULT_PARALLELISM.key()));
    assertEquals("execution.target", DeploymentOptions.TARGET.key());
    assertEquals("demo", jobConfig().topics().deployment());
    assertEquals("kafka:19092", jobConfig().kafka().get("bootstrap.servers"));
    for (Path path : jobConfig().specs()) {
      assertFalse(SpecFiles.load(path).isEmpty());
    }
  }

  @Test
  void gatewayConsoleAndPrometheusListenOnLoopback() throws IOException {
    GatewayConfig gateway = GatewayConfig.from(verb("gateway"));
    ConsoleSettings console = ConsoleSettings.from(verb("console"));
    assertEquals("127.0.0.1", gateway.http().address());
    assertEquals("127.0.0.1", console.http().address());
    assertTrue(
        compose
            .strings("prometheus", "entrypoint")
            .contains("--web.listen-address=127.0.0.1:9090"));
    String targets = Files.readString(Path.of("deploy/monitoring/prometheus.yml"));
    for (int port : List.of(gateway.http().port(), console.http().port(), 9249, 9250)) {
      assertTrue(targets.contains("\"127.0.0.1:" + port + "\""), targets);
    }
  }

  /** Returns the options that a service gives to its verb, with the paths of this machine. */
  private Configuration verb(String service) {
    List<String> words = compose.strings(service, "entrypoint");
    assertEquals(List.of("/opt/equipoise/bin/equipoise", service), words.subList(0, 2));
    return launch(
        words.subList(2, words.size()).stream()
            .map(word -> word.replace("/etc/equipoise.yaml", "flink-conf/equipoise.yaml"))
            .toArray(String[]::new));
  }

  /** The reporter's lines of flink-conf/config.yaml, which are comments there. */
  @Test
  void flinksMetricsAreReportedAsTheShippedConfigurationSays(@TempDir Path directory)
      throws IOException {
    String shipped = Files.readString(Path.of("flink-conf/config.yaml"));
    String reporter = shipped.substring(shipped.indexOf("# metrics:")).replaceAll("(?m)^# ", "");
    Files.writeString(directory.resolve("config.yaml"), reporter);
    Map<String, String> expected =
        new TreeMap<>(GlobalConfiguration.loadConfiguration(directory.toString()).toMap());
    expected.put("metrics.reporter.prom.port", "9249");
    for (String service : List.of("jobmanager", "taskmanager")) {
      Map<String, String> options = compose.flinkOptions(service);
      options.keySet().removeIf(name -> !name.startsWith("metrics."));
      assertEquals(expected, options, service);
    }
  }

  @Test
  void servicesStartInOrderAndTellTheirHealth() {
    for (String service : compose.names()) {
      assertTrue(
          ONCE.contains(service) || compose.setting(service, "healthcheck") != null, service);
      Object before = compose.setting(service, "depends_on");
      if (before != null) {
        ((Map<?, ?>) before)
            .forEach(
                (name, condition) -> {
                  String wanted =
                      ONCE.contains(name) ? "service_completed_successfully" : "service_healthy";
                  assertEquals(Map.of("condition", wanted), condition, service + " after " + name);
                });
      }
    }
  }

  @Test
  void aServiceThatEndsIsStartedAgainUnlessItRunsOnce() {
    for (String service : compose.names()) {
      assertEquals(
          ONCE.contains(service) ? null : "unless-stopped",
          compose.setting(service, "restart"),
          service);
    }
  }

  private String image(String service) {
    return (String) compose.setting(service, "image");
  }

  /** Returns the shipped Flink settings, overridden as a service's command does. */
  private Configuration flink(String service) {
    assertEquals(
        Path.of("flink-conf/config.yaml"),
        compose.mounted(compose.environment(service).get("FLINK_CONF_DIR") + "/config.yaml"));
    return GlobalConfiguration.loadConfiguration(
        "flink-conf", Configuration.fromMap(compose.flinkOptions(service)));
  }

  /** Returns what the job makes of the submit command, with the paths of this machine. */
  private JobConfig jobConfig() {
    List<String> here = new ArrayList<>();
    for (String word : compose.jobArguments()) {
      int path = word.indexOf(ComposeFile.FLINK_MOUNT);
      here.add(path < 0 ? word : word.substring(0, path) + compose.mounted(word.substring(path)));
    }
    Map<String, String> all = new TreeMap<>(flink("submit").toMap());
    all.putAll(launch(here.toArray(new String[0])).toMap());
    return JobConfig.from(Configuration.fromMap(all));
  }

  private static Configuration launch(String... arguments) {
    Launch launch = new Launch();
    new CommandLine(launch).parseArgs(arguments);
    return launch.configuration();
  }

  private static String property(String pom, String name) {
    Matcher found = Pattern.compile("<" + name + ">(.+)</" + name + ">").matcher(pom);
    assertTrue(found.find(), name);
    return found.group(1);
  }
}
