package io.equipoise.tools.specs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segmentspec.ChangedKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What a reader sees of two texts, and the question before one is sent. */
class SpecTextsTest {
  @Test
  void linesAroundAChangeAreShown() {
    assertEquals(
        List.of("...", "  c", "  d", "- e", "+ E", "+ F", "  g", "  h", "..."),
        LineDiff.of("a\nb\nc\nd\ne\ng\nh\ni", "a\nb\nc\nd\nE\nF\ng\nh\ni"));
    assertEquals(List.of("- a", "  b", "+ c"), LineDiff.of("a\nb", "b\nc"));
    assertEquals(List.of("..."), LineDiff.of("a\nb", "a\nb"));
    assertEquals(List.of("+ a"), LineDiff.of("", "a"));
  }

  @Test
  void textsTooLongToCompareAreShownWhole() {
    String before = "a\n".repeat(5_000);
    List<String> lines = LineDiff.of(before, "b\n" + before);
    assertEquals(10_001, lines.size());
    assertEquals("- a", lines.get(0));
    assertEquals("+ b", lines.get(5_000));
  }

  @Test
  void keysAreComparedByTheirValues() {
    assertEquals(
        List.of(
            "arms: all -> [one, two]",
            "fairness.tau: 0.1 -> 0.2",
            "idle-state.after: (none) -> 1d",
            "metrics: {} -> (none)"),
        ChangedKeys.of(
            "name: a\nversion: 1\narms: all\nfairness: {delta: 0.1, tau: 0.1}\nmetrics: {}",
            "# c\nversion: 2\nname: a\narms: [one, two]\nfairness:\n  tau: 0.2\n  delta: 0.1\n"
                + "idle-state: {after: 1d}"));
  }

  @Test
  void onlyAYesConfirms() throws IOException {
    assertTrue(isConfirmed("Y\n"));
    assertTrue(isConfirmed("yes"));
    assertFalse(isConfirmed("\n"));
    assertFalse(isConfirmed(""));
    assertFalse(isConfirmed("n\ny\n"));
    assertTrue(isConfirmed("", "--yes"));
  }

  private static boolean isConfirmed(String answers, String... arguments) throws IOException {
    ChangeOptions options = new ChangeOptions();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("change", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs(arguments);
    return options.isConfirmed(
        "?",
        new PrintWriter(new StringWriter()),
        new ByteArrayInputStream(answers.getBytes(StandardCharsets.UTF_8)));
  }
}
