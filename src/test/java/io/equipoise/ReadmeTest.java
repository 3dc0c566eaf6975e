package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

class ReadmeTest {
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^ {4,}(?:.*bin/)?equipoise ([a-z][^\\n]*)$");
  private static final Pattern INLINE = Pattern.compile("`equipoise ([a-z][^`]*)`");
  private static final int COMMANDS_AT_LEAST = 6;

  @Test
  void everyCommandOfTheReadmeIsUnderstood() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    List<String> commands = new ArrayList<>();
    for (Pattern pattern : List.of(COMMAND, INLINE)) {
      for (Matcher command = pattern.matcher(readme); command.find(); ) {
        commands.add(command.group(1));
      }
    }
    assertTrue(commands.size() >= COMMANDS_AT_LEAST, commands::toString);
    for (String command : commands) {
      String[] words = command.strip().split("\\s+", -1);
      try {
        Equipoise.commandLine().parseArgs(words);
      } catch (ParameterException e) {
        assertTrue(isFileOfTheReaders(e), () -> command + ": " + e.getMessage());
      }
    }
  }

  /** Files are tried when a command is parsed; those of examples are not there. */
  private static boolean isFileOfTheReaders(ParameterException e) {
    return String.valueOf(e.getMessage()).endsWith("does not exist; check the path");
  }
}
