package io.equipoise.lab.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.cli.QuietLog;
import io.equipoise.tools.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@code equipoise bench} of a distribution in a process of its own, with the options for Java
 * of this process's environment.
 */
final class BenchProcess {
  private static final String JAVA_OPTIONS = "EQUIPOISE_JAVA_OPTS";

  private BenchProcess() {}

  /**
   * Runs to the end and returns the JSON of {@code --json}.
   *
   * @param home directory of the distribution
   * @param arguments after {@code bench}, without {@code --json}
   * @throws IllegalStateException if the process fails, with its last line
   */
  static JsonNode run(Path home, List<String> arguments) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("equipoise-bench-");
    try {
      Path json = directory.resolve("report.json");
      Path messages = directory.resolve("messages.txt");
      List<String> command = new ArrayList<>();
      command.add(home.resolve("bin/equipoise").toString());
      command.add("bench");
      command.addAll(arguments);
      command.add("--json");
      command.add(json.toString());
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(messages.toFile());
      builder
          .environment()
          .merge(
              JAVA_OPTIONS,
              "-D%s=ERROR".formatted(QuietLog.LEVEL),
              (given, quiet) -> given + " " + quiet);
      int exit = await(builder.start());
      if (exit != 0) {
        throw new IllegalStateException(
            "%s ended with exit code %d: %s"
                .formatted(String.join(" ", command), exit, messageOf(messages)));
      }
      return new ObjectMapper().readTree(json.toFile());
    } finally {
      Directories.delete(directory);
    }
  }

  private static int await(Process process) throws InterruptedException {
    try {
      return process.waitFor();
    } finally {
      process.destroy(); // if this thread was interrupted
    }
  }

  private static String messageOf(Path messages) throws IOException {
    List<String> lines = Files.readAllLines(messages);
    return lines.stream().filter(line -> !line.isBlank()).findFirst().orElse("no message");
  }
}
