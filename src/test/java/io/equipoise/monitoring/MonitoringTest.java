package io.equipoise.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Docs;
import io.equipoise.console.ConsoleMetricNames;
import io.equipoise.gateway.GatewayMetricNames;
import io.equipoise.job.MetricNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.metrics.prometheus.PrometheusReporterFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files of {@code deploy/monitoring} fit the metrics, the pages and Prometheus. */
class MonitoringTest {
  static final Path DIRECTORY = Path.of("deploy", "monitoring");
  private static final Pattern METRIC =
      Pattern.compile("\\b(?:flink|equipoise)_\\w+(?:\\(user_\\)\\?\\w+)?");

  /** Metrics of Flink itself that rules and dashboards use. */
  private static final List<String> OF_FLINK =
      List.of(
          "flink_jobmanager_job_numRestarts",
          "flink_taskmanager_job_task_operator_failedCommittables",
          "flink_taskmanager_job_task_operator_retriedCommittables",
          "flink_jobmanager_job_numberOfCompletedCheckpoints",
          "flink_jobmanager_job_numberOfFailedCheckpoints",
          "flink_jobmanager_job_lastCheckpointDuration");

  /** Run with {@code -Dequipoise.write-docs=true} to write the dashboards. */
  @Test
  void theDashboardsAreThoseOfTheTable() throws Exception {
    for (Dashboards.Dashboard dashboard : Dashboards.ALL) {
      Docs.assertGenerated(
          DIRECTORY.resolve("dashboards").resolve(dashboard.file() + ".json").toString(),
          MonitoringTest.class,
          any -> Dashboards.json(dashboard));
    }
  }

  @Test
  void rulesAndDashboardsUseMetricsThatExist() throws IOException {
    Set<String> known = new HashSet<>(MetricNames.all());
    known.addAll(OF_FLINK);
    known.addAll(ConsoleMetricNames.all());
    known.addAll(GatewayMetricNames.all());
    Set<String> unknown = new TreeSet<>();
    int used = 0;
    List<String> texts = new ArrayList<>();
    texts.add(Files.readString(DIRECTORY.resolve("rules.yml")));
    Dashboards.ALL.forEach(dashboard -> texts.add(Dashboards.json(dashboard)));
    for (String text : texts) {
      for (Matcher name = METRIC.matcher(text); name.find(); used++) {
        if (!known.contains(name.group().replace("(user_)?", "").replaceFirst("_bucket$", ""))) {
          unknown.add(name.group());
        }
      }
    }
    assertEquals(Set.of(), unknown);
    assertTrue(used > 40, used + " names were found");
  }

  @Test
  void everyAlertHasATestAndARunbook() throws IOException {
    String tests = Files.readString(DIRECTORY.resolve("rules-test.yml"));
    int alerts = 0;
    for (Map<?, ?> group : maps(yaml("rules.yml"), "groups")) {
      for (Map<?, ?> rule : maps(group, "rules")) {
        Object alert = rule.get("alert");
        if (alert != null) {
          alerts++;
          int cases = tests.split("alertname: " + alert + "\\b", -1).length - 1;
          assertTrue(cases >= 2, alert + ": " + cases);
          String runbook = ((Map<?, ?>) rule.get("annotations")).get("runbook").toString();
          assertTrue(Docs.leadsSomewhere(Path.of("README.md"), runbook), runbook);
          assertTrue(Docs.section(runbook).contains("`" + alert + "`"), alert + " in " + runbook);
        }
      }
    }
    assertEquals(19, alerts);
  }

  /** The block that config.yaml has as a comment. */
  static Configuration reporter(Path directory) throws IOException {
    String text = Files.readString(Path.of("flink-conf", "config.yaml"));
    String block = text.substring(text.indexOf("# metrics:\n")).replaceAll("(?m)^# ", "");
    Files.writeString(directory.resolve("config.yaml"), block);
    return GlobalConfiguration.loadConfiguration(directory.toString());
  }

  @Test
  void theReporterOfTheConfigurationIsOffAndCanBeSwitchedOn(@TempDir Path directory)
      throws IOException {
    Configuration shipped = GlobalConfiguration.loadConfiguration("flink-conf");
    assertTrue(shipped.keySet().stream().noneMatch(key -> key.startsWith("metrics.")));
    Map<String, String> reporter = reporter(directory).toMap();
    assertEquals(6, reporter.size(), reporter::toString);
    assertEquals(
        PrometheusReporterFactory.class.getName(),
        reporter.get("metrics.reporter.prom.factory.class"));
  }

  /** Needs promtool of Debian's package prometheus. */
  @Test
  @Tag("foreign")
  void promtoolAcceptsConfigurationRulesAndTheirTests(@TempDir Path directory) throws Exception {
    promtool("check", "config", "prometheus.yml");
    promtool("test", "rules", "rules-test.yml");
    // Debian builds promtool without the discovery of Kubernetes.
    String pods = Files.readString(DIRECTORY.resolve("prometheus-kubernetes.yml"));
    Path file = directory.resolve("prometheus.yml");
    Files.writeString(file, pods.replaceAll("(?m)^ +kubernetes_sd_configs: .*", ""));
    promtool("check", "config", "--syntax-only", file.toString());
  }

  /** Needs Node, and Grafana's types with the compiler of TypeScript in NODE_PATH. */
  @Test
  @Tag("foreign")
  void theDashboardsHaveTheTypesOfGrafana(@TempDir Path directory) throws Exception {
    String path = System.getenv().getOrDefault("NODE_PATH", "node_modules");
    Path packages = Path.of(path).toAbsolutePath();
    StringBuilder program =
        new StringBuilder(
            "import type { Dashboard } from '%s/@grafana/schema/dist/types/index.d.ts';\n"
                .formatted(packages));
    for (Dashboards.Dashboard dashboard : Dashboards.ALL) {
      Path file = DIRECTORY.resolve("dashboards").resolve(dashboard.file() + ".json");
      program.append(
          "export const %s: Dashboard = %s;\n".formatted(dashboard.file(), Files.readString(file)));
    }
    Files.writeString(directory.resolve("dashboards.ts"), program);
    succeeds(
        directory,
        "npm install @grafana/schema typescript, and NODE_PATH",
        "node",
        packages.resolve("typescript/bin/tsc").toString(),
        "--noEmit",
        "--strict",
        "--skipLibCheck",
        "--module",
        "nodenext",
        "dashboards.ts");
  }

  private static void promtool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    succeeds(DIRECTORY, "apt install prometheus", command.toArray(String[]::new));
  }

  private static void succeeds(Path directory, String needs, String... command) throws Exception {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      throw new AssertionError("it needs " + command[0] + ": " + needs, e);
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(1, TimeUnit.MINUTES), said);
    assertEquals(0, process.exitValue(), said + "\nit needs " + needs);
  }

  private static Map<?, ?> yaml(String file) throws IOException {
    return (Map<?, ?>)
        new Load(LoadSettings.builder().build())
            .loadFromString(Files.readString(DIRECTORY.resolve(file)));
  }

  private static List<Map<?, ?>> maps(Map<?, ?> parent, String key) {
    List<Map<?, ?>> maps = new ArrayList<>();
    ((List<?>) parent.get(key)).forEach(each -> maps.add((Map<?, ?>) each));
    return maps;
  }
}
