package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages that readers see: README.md, CONTRIBUTING.md and every page under docs. */
public final class Docs {
  /** Set to true to write generated pages and tables instead of comparing them with the code. */
  private static final String WRITE = "equipoise.write-docs";

  private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$");

  static final Pattern CODE = Pattern.compile("(?ms)^ *```(\\w*)\\n(.*?)^ *```$");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+)$");

  private Docs() {}

  static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
      return Stream.concat(
              Stream.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")),
              docs.filter(it -> it.toString().endsWith(".md") && !isInstalled(it)).sorted())
          .toList();
    }
  }

  /** Returns whether {@code npm ci} put a file there. */
  private static boolean isInstalled(Path file) {
    return file.toString().contains("node_modules");
  }

  /** Returns the spec that README.md shows. */
  public static String specOfTheReadme() throws IOException {
    return specOf("README.md");
  }

  /** Returns the first YAML block of a page. */
  public static String specOf(String page) throws IOException {
    Matcher block = YAML.matcher(Files.readString(Path.of(page)));
    assertTrue(block.find(), page + " has no YAML");
    return block.group(1);
  }

  /**
   * Asserts that a page is what the code makes of it.
   *
   * @param test the class whose run with the write flag regenerates the page
   */
  public static void assertGenerated(String page, Class<?> test, UnaryOperator<String> generator)
      throws IOException {
    Path file = Path.of(page);
    String text = Files.exists(file) ? Files.readString(file) : "";
    String wanted = generator.apply(text);
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(file, wanted);
    } else {
      assertEquals(
          wanted, text, "mvn test -Dtest=" + test.getSimpleName() + " -D" + WRITE + "=true");
    }
  }

  /** Returns whether a link of a page leads to a file, and to a heading if it names one. */
  public static boolean leadsSomewhere(Path page, String link) throws IOException {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    return Files.exists(target)
        && (hash < 0 || anchors(Files.readString(target)).contains(link.substring(hash + 1)));
  }

  /**
   * Returns the text below a heading, up to the next heading of its level or a higher one.
   *
   * @param link the page and the heading's anchor, such as {@code docs/operations.md#monitor}
   */
  public static String section(String link) throws IOException {
    int hash = link.indexOf('#');
    String text = Files.readString(Path.of(link.substring(0, hash)));
    Matcher heading = HEADING.matcher(text);
    while (heading.find()) {
      if (anchor(heading.group(1)).equals(link.substring(hash + 1))) {
        int level = heading.group().indexOf(' ');
        String[] parts = text.substring(heading.end()).split("(?m)^#{1," + level + "} ", 2);
        return parts[0];
      }
    }
    throw new AssertionError("no heading: " + link);
  }

  /** Returns the anchors that GitHub gives the headings of a page. */
  private static Set<String> anchors(String text) {
    Set<String> anchors = new HashSet<>();
    for (Matcher heading = HEADING.matcher(CODE.matcher(text).replaceAll("")); heading.find(); ) {
      anchors.add(anchor(heading.group(1)));
    }
    return anchors;
  }

  private static String anchor(String heading) {
    return heading
        .strip()
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }
}
