package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the files of the page contain; browsers see them in the tier {@code foreign}. */
class PageSourcesTest {
  private static final Path FOLDER = Path.of("src", "main", "resources", "console");
  private static final Pattern SOURCE = Pattern.compile("(?:src|href)=\"([^\"]*)\"");
  private static final Pattern SCRIPT = Pattern.compile("<script(?! src=)");
  private static final Pattern INLINE = Pattern.compile("<style| style=| on[a-z]+=");
  private static final Pattern MARKUP =
      Pattern.compile(
          "innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\\.write"
              + "|createContextualFragment|\\beval\\(|new Function");
  private static final Pattern USED_TERM = Pattern.compile("(?:term|of): '([a-zA-Z]+)'");
  private static final Pattern TERM = Pattern.compile("(?m)^  ([a-zA-Z]+): '");
  private static final Pattern IMPORT = Pattern.compile("from '\\./([a-z]+\\.js)'");

  /** A version that differs from the one in the build is a file that does not exist. */
  @Test
  void theIndexLoadsOnlyFilesThatArePackaged() throws IOException {
    List<String> sources = found(SOURCE, Files.readString(FOLDER.resolve("index.html")));
    assertTrue(sources.stream().anyMatch(it -> it.startsWith("webjars/d3/")), sources::toString);
    for (String source : sources) {
      if (source.startsWith("webjars/")) {
        assertNotNull(getClass().getResource("/META-INF/resources/" + source), source);
      } else {
        assertTrue(Files.isRegularFile(FOLDER.resolve(source)), source);
      }
    }
    for (String module : scripts().values()) {
      for (String imported : found(IMPORT, module)) {
        assertTrue(scripts().containsKey(imported), imported);
      }
    }
  }

  /** Records never lack a level but where it is redacted: undisclosed is a level of its own. */
  @Test
  void aLevelThatARecordHidesIsNotSaidToBeUndisclosed() throws IOException {
    Pattern hidden = Pattern.compile("(?:value|actual) \\?\\? 'undisclosed'");
    for (String module : scripts().values()) {
      assertEquals(List.of(), found(hidden, module));
    }
  }

  @Test
  void nothingIsInlineSoThatThePolicyCanForbidIt() throws IOException {
    String index = Files.readString(FOLDER.resolve("index.html"));
    assertFalse(SCRIPT.matcher(index).find());
    assertFalse(INLINE.matcher(index).find());
  }

  @Test
  void textOfRecordsReachesThePageOnlyAsText() throws IOException {
    for (Map.Entry<String, String> script : scripts().entrySet()) {
      assertEquals(List.of(), found(MARKUP, script.getValue()), script.getKey());
    }
  }

  @Test
  void everyTermHasAMeaning() throws IOException {
    Set<String> known = new TreeSet<>(found(TERM, scripts().get("terms.js")));
    Set<String> used = new TreeSet<>();
    for (String script : scripts().values()) {
      used.addAll(found(USED_TERM, script));
    }
    assertTrue(used.size() > 15, used::toString);
    assertEquals(used, known);
  }

  private static Map<String, String> scripts() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.resolve("js"))) {
      Map<String, String> scripts = new TreeMap<>();
      for (Path file : files.toList()) {
        scripts.put(file.getFileName().toString(), Files.readString(file));
      }
      return scripts;
    }
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult it) -> it.groupCount() == 0 ? it.group() : it.group(1))
        .collect(Collectors.toList());
  }
}
