package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages that readers see: README.md, CONTRIBUTING.md and every page under docs. */
public final class Docs {
  /** Set to true to write generated pages and tables instead of comparing them with the code. */
  private static final String WRITE = "equipoise.write-docs";

  private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$");

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
}
