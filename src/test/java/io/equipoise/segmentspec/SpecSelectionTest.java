package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpecSelectionTest {
  private static SegmentSpec spec(String name, String segments) {
    String text = SpecText.with("{exact: [small, tiny]}", segments);
    return SpecParser.parse(text.replace("name: small", "name: " + name));
  }

  private static final List<SegmentSpec> SPECS =
      List.of(
          spec("a-default", "default"),
          spec("b-default", "default"),
          spec("c-pattern", "{pattern: \"de-.*\"}"),
          spec("d-pattern", "{pattern: \"de-m.*\"}"),
          spec("z-exact", "{exact: [de-mobile]}"));

  private static void assertPicks(String segment, String expected) {
    List<SegmentSpec> specs = new ArrayList<>(SPECS);
    for (int i = 0; i < specs.size(); i++) {
      Collections.rotate(specs, 1);
      Optional<String> picked = SpecSelection.select(specs, segment).map(SegmentSpec::name);
      assertEquals(Optional.of(expected), picked);
    }
  }

  @Test
  void anExactNameBeatsAPattern() {
    assertPicks("de-mobile", "z-exact");
  }

  @Test
  void aPatternBeatsTheDefaultAndTheLowestNameWins() {
    assertPicks("de-mail", "c-pattern");
  }

  @Test
  void theDefaultTakesTheRest() {
    assertPicks("fr-mail", "a-default");
  }

  @Test
  void withoutAMatchThereIsNone() {
    assertEquals(Optional.empty(), SpecSelection.select(SPECS.subList(2, 5), "fr-mail"));
  }

  @Test
  void ofTwoVersionsTheHigherNumberWins() {
    SegmentSpec old = SpecParser.parse(SpecText.SOUND);
    SegmentSpec next = SpecText.parsedWith("version: 3", "version: 4");
    assertEquals(Optional.of(next), SpecSelection.select(List.of(old, next), "tiny"));
    assertEquals(Optional.of(next), SpecSelection.select(List.of(next, old), "tiny"));
  }
}
