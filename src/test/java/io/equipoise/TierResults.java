package io.equipoise;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Writes the results file of a tier: commit, machine, date, the suites with the longest first, and
 * what they counted and found. Run after the tests by the profiles {@code full} and {@code chaos},
 * and by {@code mvn verify -Dtier-results.skip=false} for CI.
 */
public final class TierResults {
  private final String command;
  private final List<String> lines = new ArrayList<>();
  private final List<Suite> suites = new ArrayList<>();

  private record Suite(String name, int tests, int failed, int skipped, double seconds) {}

  private TierResults(String command) {
    this.command = command;
  }

  /**
   * Takes the tier's name, the file to write, and the command that ran, if it was not the whole
   * tier.
   */
  public static void main(String[] arguments) throws Exception {
    String whole = "mvn verify" + (arguments[0].equals("ci") ? "" : " -P" + arguments[0]);
    String text = new TierResults(arguments.length > 2 ? arguments[2] : whole).text();
    Path file = Path.of(arguments[1]);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String text() throws Exception {
    lines.add("# Results of `" + command + "`");
    lines.add("");
    lines.add("Written by the run itself.");
    lines.add("");
    lines.add("- commit: " + commit());
    lines.add("- date: " + LocalDate.now(Clock.system(ZoneOffset.UTC)));
    lines.add("- machine: " + machine());
    for (String directory : List.of("surefire-reports", "failsafe-reports")) {
      for (Path report : reports(Path.of("target", directory))) {
        suites.add(suite(report));
      }
    }
    if (!suites.isEmpty()) {
      suites.sort(Comparator.comparingDouble(Suite::seconds).reversed());
      lines.add(
          String.format(
              Locale.ROOT,
              "- tests: %d, failed: %d, skipped: %d, %.0f s of suites that ran beside each other",
              suites.stream().mapToInt(Suite::tests).sum(),
              suites.stream().mapToInt(Suite::failed).sum(),
              suites.stream().mapToInt(Suite::skipped).sum(),
              suites.stream().mapToDouble(Suite::seconds).sum()));
      lines.add("");
      lines.add("| suite | tests | failed | skipped | seconds |");
      lines.add("| --- | ---: | ---: | ---: | ---: |");
      for (Suite it : suites) {
        lines.add(
            String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %.3f |",
                it.name(),
                it.tests(),
                it.failed(),
                it.skipped(),
                it.seconds()));
      }
    }
    if (Files.exists(Tier.FACTS)) {
      lines.add("");
      lines.add("| suite | what it counted or found | value |");
      lines.add("| --- | --- | ---: |");
      for (String fact : new TreeSet<>(Files.readAllLines(Tier.FACTS))) {
        lines.add("| " + fact.replace("\t", " | ") + " |");
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private static List<Path> reports(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("TEST-"))
          .sorted()
          .toList();
    }
  }

  private static Suite suite(Path report) throws Exception {
    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getDocumentElement();
    String name = suite.getAttribute("name");
    return new Suite(
        name.substring(name.lastIndexOf('.') + 1),
        number(suite, "tests"),
        number(suite, "failures") + number(suite, "errors"),
        number(suite, "skipped"),
        Double.parseDouble(suite.getAttribute("time")));
  }

  private static int number(Element suite, String attribute) {
    return Integer.parseInt(suite.getAttribute(attribute));
  }

  private static String machine() {
    return String.format(
        Locale.ROOT,
        "%d processors, %s %s, Java %s",
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        System.getProperty("java.version"));
  }

  private static String commit() throws IOException, InterruptedException {
    String id = git("rev-parse", "--short=12", "HEAD");
    return git("status", "--porcelain", "--untracked-files=no").isEmpty() ? id : id + ", changed";
  }

  private static String git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process git = new ProcessBuilder(command).start();
    String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return git.waitFor() == 0 ? out : "unknown";
  }
}
