package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The pages of the command line: verbs of the product, and verbs of the lab. */
class CliPageTest {
  private static final String START = "<!-- commands:start -->\n";
  private static final String END = "<!-- commands:end -->";

  /** An option with the same text in so many commands is described once, at the top. */
  private static final int SHARED = 3;

  private static final List<String> ON_EVERY_COMMAND = List.of("-h", "-V");

  /** Run with {@code -Dequipoise.write-docs=true} to write the pages instead of comparing them. */
  @Test
  void thePageHasTheHelpOfEveryCommandOfTheProduct() throws Exception {
    Docs.assertGenerated(
        "docs/reference/cli.md", CliPageTest.class, page -> withCommands(page, false));
  }

  @Test
  void thePageOfTheLabHasTheHelpOfItsCommands() throws Exception {
    Docs.assertGenerated(
        "docs/reference/cli-lab.md", CliPageTest.class, page -> withCommands(page, true));
  }

  @Test
  void aCommandOfACommandIsListed() {
    assertTrue(text(commands(false)).contains("## equipoise cluster up\n"));
    assertTrue(text(commands(true)).contains("## equipoise replicate cclb\n"));
  }

  @Test
  void anOptionOfManyCommandsIsDescribedOnce() {
    String described = "Sets an option and overrides the file.";
    String text = text(commands(false));
    assertTrue(text.contains(described));
    assertFalse(text.substring(text.indexOf(described) + 1).contains(described));
  }

  /**
   * Each element of a description begins a line, so one that breaks off in a sentence looks cut.
   */
  @Test
  void everyParagraphOfADescriptionIsWhole() {
    Stream.concat(commands(false).stream(), commands(true).stream())
        .map(CommandLine::getCommandSpec)
        .filter(spec -> spec.userObject().getClass().getName().startsWith("io.equipoise."))
        .forEach(
            spec ->
                assertEquals(
                    List.of(),
                    Stream.of(spec.usageMessage().description())
                        .filter(paragraph -> !paragraph.matches("(?s).*[.:]"))
                        .toList(),
                    spec.qualifiedName()));
  }

  private static String withCommands(String page, boolean isOfLab) {
    int start = page.indexOf(START) + START.length();
    return page.substring(0, start) + text(commands(isOfLab)) + page.substring(page.indexOf(END));
  }

  private static List<CommandLine> commands(boolean isOfLab) {
    List<CommandLine> commands = new ArrayList<>();
    new TreeMap<>(Equipoise.commandLine().getSubcommands())
        .values().stream()
            .filter(verb -> isOfLab == verb.getCommand().getClass().getName().contains(".lab."))
            .forEach(verb -> addVisible(verb, commands));
    return commands;
  }

  private static void addVisible(CommandLine command, List<CommandLine> commands) {
    if (!command.getCommandSpec().usageMessage().hidden()) {
      commands.add(command);
      new TreeMap<>(command.getSubcommands()).values().forEach(it -> addVisible(it, commands));
    }
  }

  private static String text(List<CommandLine> commands) {
    Map<String, OptionSpec> shared = shared(commands);
    StringBuilder text = new StringBuilder("## Options of many commands\n\n```text\n");
    commands.stream()
        .map(CommandLine::getHelp)
        .limit(1)
        .forEach(
            help ->
                text.append(
                    help.optionListExcludingGroups(
                        shared.values().stream()
                            .filter(option -> !isOnEveryCommand(option))
                            .toList())));
    text.append("```\n\n");
    for (CommandLine command : commands) {
      command
          .getHelpSectionMap()
          .put(
              UsageMessageSpec.SECTION_KEY_OPTION_LIST,
              help ->
                  help.optionListExcludingGroups(
                      help.commandSpec().options().stream()
                          .filter(option -> !option.hidden())
                          .filter(option -> !isOnEveryCommand(option))
                          .filter(option -> !shared.containsKey(described(option)))
                          .toList()));
      text.append("## ").append(command.getCommandSpec().qualifiedName()).append("\n\n```text\n");
      text.append(
          command
              .getUsageMessage(Ansi.OFF)
              .lines()
              .map(String::stripTrailing)
              .collect(Collectors.joining("\n"))
              .strip());
      text.append("\n```\n\n");
    }
    return text.toString();
  }

  private static Map<String, OptionSpec> shared(List<CommandLine> commands) {
    Map<String, Integer> uses = new TreeMap<>();
    Map<String, OptionSpec> shared = new LinkedHashMap<>();
    for (CommandLine command : commands) {
      for (OptionSpec option : command.getCommandSpec().options()) {
        if (!option.hidden() && uses.merge(described(option), 1, Integer::sum) == SHARED) {
          shared.put(described(option), option);
        }
      }
    }
    return shared;
  }

  private static boolean isOnEveryCommand(OptionSpec option) {
    return ON_EVERY_COMMAND.contains(option.shortestName());
  }

  /** Returns an option as the help describes it. */
  private static String described(OptionSpec option) {
    return option.shortestName()
        + ' '
        + option.paramLabel()
        + ' '
        + option.defaultValueString()
        + ' '
        + String.join(" ", option.description());
  }
}
