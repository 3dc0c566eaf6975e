package io.equipoise.tools.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.adoption.SpecEffect;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.watch.ChallengerCheck;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ChallengerCommandTest {
  private static final CompiledSpec BASE = SimulationSpecs.cells();

  private static CompiledSpec spec(CompiledSpec of, String name, String segments) {
    String text =
        of.spec()
            .text()
            .replace("name: offers", "name: " + name)
            .replace("segments: default", "segments: {exact: [%s]}".formatted(segments));
    return CompiledSpec.of(SpecParser.parse(text));
  }

  private static SpecHistory history(CompiledSpec... published) {
    List<RawControl> topic = new ArrayList<>();
    for (CompiledSpec spec : published) {
      byte[] key = spec.spec().key().getBytes(StandardCharsets.UTF_8);
      byte[] value = spec.spec().text().getBytes(StandardCharsets.UTF_8);
      topic.add(new RawControl("specs", 0, topic.size(), 7000, key, value));
    }
    return SpecHistory.of(topic, new CatalogLimit(1 << 20));
  }

  private static SpecEffect adoption(CompiledSpec text, CompiledSpec... published) {
    return ChallengerCommand.adoption(history(published), published[0], text.spec(), "shop-a");
  }

  private static WatchRefusedException refusal(CompiledSpec text, CompiledSpec... published) {
    return assertThrows(WatchRefusedException.class, () -> adoption(text, published));
  }

  @Test
  void aTextThatTheSegmentWouldNotSelectIsRefused() {
    CompiledSpec better = spec(BASE, "better", "shop-a");
    for (CompiledSpec other :
        List.of(spec(BASE, "better", "shop-b"), spec(BASE, "later", "shop-a"))) {
      WatchRefusedException refused = refusal(other, better);
      assertEquals(WatchRefusal.NOT_SELECTED, refused.code());
      assertTrue(
          String.valueOf(refused.getMessage())
              .startsWith("segment shop-a would adopt another spec than " + other.spec().name()),
          refused::getMessage);
    }
    assertTrue(adoption(spec(BASE, "best", "shop-a"), better).isModelKept());
    assertTrue(adoption(spec(BASE, "better", "shop-a, shop-b"), better).isModelKept());
  }

  @Test
  void theTextThatDecidesIsRefusedUnderAnyVersion() {
    CompiledSpec better = spec(BASE, "better", "shop-a");
    String text = better.spec().text();
    for (String same : List.of(text, text.replace("version: 1", "version: 7"))) {
      CompiledSpec challenger = CompiledSpec.of(SpecParser.parse(same));
      WatchRefusedException refused = refusal(challenger, better);
      assertEquals(WatchRefusal.SAME_TEXT, refused.code());
      assertTrue(
          String.valueOf(refused.getMessage())
              .startsWith("better version 1 decides in segment shop-a already; "),
          refused::getMessage);
    }
  }

  @Test
  void aTextThatTheSegmentWouldRejectIsRefused() {
    CompiledSpec better = spec(SimulationSpecs.ridge(), "better", "shop-a");
    WatchRefusedException refused = refusal(spec(BASE, "better", "shop-a"), better);
    assertEquals(WatchRefusal.WOULD_BE_REJECTED, refused.code());
    assertTrue(
        String.valueOf(refused.getMessage()).startsWith("segment shop-a, spec better: rejected"),
        refused::getMessage);
  }

  /** The commands of docs/watch.md need a running cluster; this is what they ask of the files. */
  @Test
  void theChallengerOfThePageCanBeRegisteredAndKeepsItsModel() throws IOException {
    String tutorial = Files.readString(Path.of("docs/tutorial.md"));
    int start = tutorial.indexOf("```yaml\n", tutorial.indexOf("`loans.yaml`")) + 8;
    String loans = tutorial.substring(start, tutorial.indexOf("```", start));
    String sed =
        Files.readAllLines(Path.of("docs/watch.md")).stream()
            .filter(it -> it.startsWith("sed "))
            .findFirst()
            .orElseThrow();
    String edited = loans;
    Matcher edits = Pattern.compile("s/([^/]+)/([^/]+)/").matcher(sed);
    while (edits.find()) {
      String before = edited;
      edited =
          Pattern.compile(edits.group(1), Pattern.MULTILINE)
              .matcher(edited)
              .replaceAll(edits.group(2));
      assertNotEquals(before, edited, edits.group());
    }
    CompiledSpec champion = CompiledSpec.of(SpecParser.parse(loans));
    CompiledSpec challenger = CompiledSpec.of(SpecParser.parse(edited));
    assertEquals("loans-2", challenger.spec().name());
    ChallengerCheck.check(champion, challenger);
    ChallengerCheck.checkGroups(champion, List.of("gender"), List.of("offer=large"), false);
    assertTrue(
        ChallengerCommand.adoption(history(champion), champion, challenger.spec(), "loans-retail")
            .isModelKept());
  }
}
