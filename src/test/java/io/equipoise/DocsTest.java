package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class DocsTest {
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^ *(?:\\S.*bin/)?equipoise ([a-z][^\\n]*)$");
  private static final Pattern INLINE = Pattern.compile("`equipoise ([a-z][^`]*)`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

  /** A page with a section, or a theory cited by a text that is not in this repository. */
  private static final Pattern CITATION =
      Pattern.compile(
          "(docs/[\\w/-]+\\.md(?:#[\\w-]+)?)"
              + "|docs/math/\\w"
              + "|(?i:\\bspecifi[c]ation\\b|(?:bounds|policies|certificates), sections? \\d)");

  private static final Pattern LINE_OF_A_COMMENT = Pattern.compile("\\n *\\* ");
  private static final int CITATIONS_AT_LEAST = 50;
  private static final int COMMANDS_AT_LEAST = 60;
  private static final int LINKS_AT_LEAST = 30;
  private static final int YAML_AT_LEAST = 10;
  private static final int LINES_AT_MOST = 250;

  @Test
  void everyCommandIsUnderstood() throws IOException {
    List<String> commands = new ArrayList<>();
    for (Path page : Docs.pages()) {
      String text = Files.readString(page);
      for (Pattern pattern : List.of(COMMAND, INLINE)) {
        for (Matcher command = pattern.matcher(text); command.find(); ) {
          commands.add(command.group(1).replaceFirst(" +[#>] .*", ""));
        }
      }
    }
    assertTrue(commands.size() >= COMMANDS_AT_LEAST, commands::toString);
    CommandLine commandLine = Equipoise.commandLine();
    for (String command : commands) {
      String[] words = command.strip().split("\\s+", -1);
      try {
        commandLine.parseArgs(words);
      } catch (ParameterException e) {
        assertTrue(isFileOfTheReaders(e), () -> command + ": " + e.getMessage());
      }
    }
  }

  @Test
  void everyLinkLeadsToAFileAndAHeading() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : Docs.pages()) {
      String prose = Docs.CODE.matcher(Files.readString(page)).replaceAll("");
      for (Matcher link = LINK.matcher(prose); link.find(); ) {
        if (!link.group(1).contains("://")) {
          links++;
          if (!Docs.leadsSomewhere(page, link.group(1))) {
            broken.add(page + ": " + link.group(1));
          }
        }
      }
    }
    assertEquals(List.of(), broken);
    assertTrue(links >= LINKS_AT_LEAST, "only " + links + " links were found");
  }

  @Test
  void everyYamlBlockIsYaml() throws IOException {
    List<String> faults = new ArrayList<>();
    int blocks = 0;
    for (Path page : Docs.pages()) {
      for (Matcher code = Docs.CODE.matcher(Files.readString(page)); code.find(); ) {
        if (code.group(1).equals("yaml")) {
          blocks++;
          try {
            new Load(LoadSettings.builder().build()).loadFromString(code.group(2));
          } catch (YamlEngineException e) {
            faults.add(page + ": " + e.getMessage());
          }
        }
      }
    }
    assertEquals(List.of(), faults);
    assertTrue(blocks >= YAML_AT_LEAST, "only " + blocks + " blocks were found");
  }

  @Test
  void everyWholeSpecPassesTheCheck(@TempDir Path directory) throws IOException {
    int specs = 0;
    for (Path page : Docs.pages()) {
      for (Matcher code = Docs.CODE.matcher(Files.readString(page)); code.find(); ) {
        if (code.group(2).startsWith("name: ")) {
          Path file = directory.resolve("spec-" + specs++ + ".yaml");
          Files.writeString(file, code.group(2));
        }
      }
    }
    assertTrue(specs >= 2, "only " + specs + " specs were found");
    for (int spec = 0; spec < specs; spec++) {
      StringWriter out = new StringWriter();
      String file = directory.resolve("spec-" + spec + ".yaml").toString();
      CommandLine commandLine = Equipoise.commandLine();
      commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
      assertEquals(0, commandLine.execute("check", file), out::toString);
    }
  }

  /** A class that rests on a theorem cites the page and the section with its statement. */
  @Test
  void everyCitationInTheCodeLeadsToAPageAndASection() throws IOException {
    List<String> broken = new ArrayList<>();
    int citations = 0;
    for (Path file : sources()) {
      String text = LINE_OF_A_COMMENT.matcher(Files.readString(file)).replaceAll(" ");
      for (Matcher cited = CITATION.matcher(text); cited.find(); citations++) {
        String page = cited.group(1);
        boolean hasSection = page != null && (!page.startsWith("docs/math/") || page.contains("#"));
        if (!hasSection || !Docs.leadsSomewhere(Path.of("README.md"), page)) {
          broken.add(file + ": " + cited.group());
        }
      }
    }
    assertEquals(List.of(), broken);
    assertTrue(citations >= CITATIONS_AT_LEAST, "only " + citations + " citations were found");
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src"))) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  @Test
  void everyPageIsInTheMenuOfTheSite() throws IOException {
    String menu = Files.readString(Path.of("src/site/templates/menu.ftl"));
    List<String> missing = new ArrayList<>();
    for (Path page : Docs.pages()) {
      if (!menu.contains('"' + page.toString().replaceFirst("\\.md$", ".html") + '"')) {
        missing.add(page.toString());
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void noPageIsLong() throws IOException {
    Map<Path, Integer> tooLong = new HashMap<>();
    for (Path page : Docs.pages()) {
      int lines = Files.readAllLines(page).size();
      if (lines > LINES_AT_MOST && !page.startsWith("docs/reference")) {
        tooLong.put(page, lines);
      }
    }
    assertEquals(Map.of(), tooLong);
  }

  /** Files are tried when a command is parsed; those of examples are not there. */
  private static boolean isFileOfTheReaders(ParameterException e) {
    return String.valueOf(e.getMessage()).endsWith("does not exist; check the path");
  }
}
