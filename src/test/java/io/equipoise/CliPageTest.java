package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

class CliPageTest {
  private static final String PAGE = "docs/reference/cli.md";
  private static final String START = "<!-- commands:start -->\n";
  private static final String END = "<!-- commands:end -->";

  /** Run with {@code -Dequipoise.write-docs=true} to write the page instead of comparing it. */
  @Test
  void thePageHasTheHelpOfEveryCommand() throws Exception {
    Docs.assertGenerated(PAGE, CliPageTest.class, CliPageTest::withCommands);
  }

  @Test
  void aCommandOfACommandIsListed() {
    assertTrue(commands().contains("## equipoise cluster up\n"));
  }

  private static String withCommands(String page) {
    int start = page.indexOf(START) + START.length();
    return page.substring(0, start) + commands() + page.substring(page.indexOf(END));
  }

  private static String commands() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, CommandLine> verb :
        new TreeMap<>(Equipoise.commandLine().getSubcommands()).entrySet()) {
      append(verb.getValue(), text);
    }
    return text.toString();
  }

  private static void append(CommandLine command, StringBuilder text) {
    if (command.getCommandSpec().usageMessage().hidden()) {
      return;
    }
    text.append("## ").append(command.getCommandSpec().qualifiedName()).append("\n\n```text\n");
    for (String line : command.getUsageMessage(Ansi.OFF).split("\n", -1)) {
      String words = line.strip().toLowerCase(Locale.ROOT);
      if (!words.startsWith("-h, --help") && !words.startsWith("-v, --version")) {
        text.append(line.stripTrailing()).append('\n');
      }
    }
    int end = text.length();
    while (text.charAt(end - 1) == '\n') {
      end--;
    }
    text.setLength(end);
    text.append("\n```\n\n");
    new TreeMap<>(command.getSubcommands()).values().forEach(it -> append(it, text));
  }
}
