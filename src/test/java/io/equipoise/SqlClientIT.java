package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queries a demo with Flink's own SQL client, the packed format and Flink's packed connector, as
 * docs/integrations.md says. The profile foreign copies the client to {@code target/sql-client}.
 */
@Tag("foreign")
class SqlClientIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Pattern BROKER = Pattern.compile("broker +(\\S+:\\d+)");
  private static final int ROUNDS = 30;

  @TempDir private Path directory;

  @Test
  void decisionsOfADemoAreJoinedWithTheirRewards() throws Exception {
    Process demo =
        process(
                "demo.log",
                TARGET.resolve("equipoise/bin/equipoise").toString(),
                "demo",
                "--rounds",
                "" + ROUNDS,
                "--policy",
                "ucb",
                "--keep-running")
            .start();
    try {
      String said = query(awaitBroker(demo));
      assertTrue(Pattern.compile("\\| +%d \\|".formatted(ROUNDS)).matcher(said).find(), said);
      assertEquals(2, said.split("rows? in set", -1).length - 1, said);
    } finally {
      demo.destroy();
      demo.waitFor();
    }
  }

  private String query(String broker) throws Exception {
    StringBuilder script = new StringBuilder("SET 'execution.runtime-mode' = 'batch';\n");
    script.append("SET 'sql-client.execution.result-mode' = 'tableau';\n");
    for (String file : new String[] {"tables.sql", "views.sql"}) {
      script.append(
          Files.readString(TARGET.resolve("equipoise/deploy/sql").resolve(file))
              .replace("127.0.0.1:9092", broker));
    }
    script.append("SELECT COUNT(learned_reward) AS learned FROM decisions_with_rewards;\n");
    script.append("SELECT * FROM hourly;\n");
    Path file = Files.writeString(directory.resolve("demo.sql"), script);
    Path conf = Files.createDirectories(directory.resolve("conf"));
    Files.writeString(conf.resolve("config.yaml"), "execution.target: local\n");
    String classPath =
        Stream.of("sql-client", "equipoise/sql", "equipoise/lib")
            .flatMap(name -> jars(TARGET.resolve(name)))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    ProcessBuilder builder =
        process(
            "client.log",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "-cp",
            classPath,
            "org.apache.flink.table.client.SqlClient",
            "-hist",
            directory.resolve("history").toString(),
            "-f",
            file.toString());
    builder.environment().put("FLINK_CONF_DIR", conf.toString());
    Process client = builder.start();
    boolean isOver = client.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    client.destroyForcibly();
    String said = Files.readString(directory.resolve("client.log"));
    assertTrue(isOver, said);
    assertEquals(0, client.exitValue(), said);
    return said;
  }

  /** Of the distribution those of Flink. */
  private static Stream<Path> jars(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      boolean isOurs = directory.endsWith("equipoise/lib");
      return files
          .filter(
              file ->
                  !isOurs || PlainProcessesIT.OF_FLINK.matcher("" + file.getFileName()).matches())
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new AssertionError("it needs mvn -Pforeign, which copies the jars of the client", e);
    }
  }

  private ProcessBuilder process(String log, String... command) {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve(log).toFile());
  }

  private String awaitBroker(Process demo) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline && demo.isAlive()) {
      String said = Files.readString(directory.resolve("demo.log"));
      Matcher found = BROKER.matcher(said);
      if (found.find() && said.contains("Ctrl-C")) {
        return found.group(1);
      }
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
    throw new AssertionError(
        "it names no broker: " + Files.readString(directory.resolve("demo.log")));
  }
}
