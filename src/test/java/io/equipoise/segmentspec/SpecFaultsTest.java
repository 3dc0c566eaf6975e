package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Spoils {@link SpecText#SOUND} in one place after another.
 *
 * <p>{@code spec-faults.txt} holds blocks of lines: the piece that is replaced behind {@code -},
 * what it becomes behind {@code +} ({@code \n} is a line end), then every fault expected.
 */
class SpecFaultsTest {
  private static List<String> faultsOf(String text) {
    SpecException thrown = assertThrows(SpecException.class, () -> SpecParser.parse(text));
    return thrown.faults().stream().map(SpecFault::toString).toList();
  }

  @TestFactory
  List<DynamicTest> everyFaultNamesItsPlaceTheValueAndWhatIsAllowed() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (InputStream in = SpecFaultsTest.class.getResourceAsStream("spec-faults.txt")) {
      byte[] bytes = Objects.requireNonNull(in).readAllBytes();
      for (String block :
          new String(bytes, StandardCharsets.UTF_8).stripTrailing().split("\n\n", -1)) {
        List<String> lines = block.lines().toList();
        String piece = unescaped(lines.get(0));
        String other = unescaped(lines.get(1));
        List<String> expected = lines.subList(2, lines.size());
        tests.add(
            DynamicTest.dynamicTest(
                lines.get(0) + " " + lines.get(1),
                () -> assertEquals(expected, faultsOf(SpecText.with(piece, other)))));
      }
    }
    return tests;
  }

  private static String unescaped(String line) {
    return line.substring(2).replace("\\n", "\n");
  }

  @Test
  void allFaultsAreReportedAtOnceInTheOrderOfTheLines() {
    String text =
        SpecText.SOUND
            .replace("version: 3", "version: three")
            .replace("role: mediator", "role: mediatr")
            .replace("tau: 0.3", "tau: -1")
            .replace("reward-window: 30m", "windo: 30m")
            .replace("name: small", "on-incompatible-change: ask\nname: small");
    SpecException thrown = assertThrows(SpecException.class, () -> SpecParser.parse(text));
    assertEquals(
        List.of(
            "on-incompatible-change, line 1",
            "version, line 3",
            "variables.M.role, line 11",
            "fairness.tau, line 31",
            "join.windo, line 32",
            "join.reward-window, line 32"),
        thrown.faults().stream().map(SpecFault::place).toList());
    assertEquals(6, thrown.getMessage().lines().count());
  }

  @Test
  void aWordWhereNothingFitsIsNotAnsweredByAnEmptyList() {
    String nothing = "nothing, because the spec declares none that fits";
    assertEquals(nothing, Nearest.oneOf("gender", List.of()));
    assertEquals("did you mean offer? one of offer", Nearest.oneOf("ofer", List.of("offer")));
  }

  @Test
  void theJointRegionNeedsBoundedRewards() {
    String text =
        SpecText.with("tau: 0.3", "tau: 0.3, confidence: joint")
            .replace("[-1, 3]", "[-1, 3], bounded: false, scale: 1");
    assertEquals(
        List.of(
            "fairness.confidence, line 30: \"joint\" given; with reward.bounded:"
                + " false one of sub-gaussian, paper"),
        faultsOf(text));
  }

  @Test
  void anUnboundedDefaultRewardMayLieOutsideTheRange() {
    String text =
        SpecText.with("value: 0", "value: -2")
            .replace("[-1, 3]", "[-1, 3], bounded: false, scale: 1");
    assertEquals(-2, Objects.requireNonNull(SpecParser.parse(text).reward().byDefault()).value());
  }

  @Test
  void anEmptyTextLacksEverything() {
    assertEquals(
        List.of("line 1: an empty text given; a spec is a mapping: name, version, segments, …"),
        faultsOf("# nothing\n"));
    assertEquals(9, faultsOf("{}").size());
    assertEquals(List.of("line 1: \"x\" given; a mapping"), faultsOf("x"));
  }

  @Test
  void whatIsNoYamlHasItsLine() {
    assertEquals(
        List.of(
            "line 2: a second colon, or another indentation given; the text must be YAML",
            "line 2: a tab; indent with blanks given; the text must be YAML"),
        Stream.of("a: b\nc: d: e\n", "a: b\n\tc: d\n")
            .flatMap(text -> faultsOf(text).stream())
            .toList());
  }
}
