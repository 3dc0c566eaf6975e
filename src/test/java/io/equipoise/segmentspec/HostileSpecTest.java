package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class HostileSpecTest {
  private static final long SEED = 20220614;
  private static final int MUTATIONS = 5000;
  private static final String PIECES = "{}[]:,-#&*!|>'\"%@`?\n\t \\\u0000\uFEFF\uD83D09aZ~\u0085";

  private static String firstFault(String text) {
    SpecException thrown =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20),
            () -> assertThrows(SpecException.class, () -> SpecParser.parse(text)));
    return thrown.faults().get(0).toString();
  }

  @Test
  void aTextOfMoreThanAMebibyteIsRefused() {
    assertEquals(
        "line 1: 1048577 bytes given; a spec has at most 1048576 bytes",
        firstFault("#".repeat((1 << 20) + 1)));
  }

  @Test
  void anAliasBombIsRefusedAtItsFirstAnchor() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 30; i++) {
      String ref = "*a" + (i - 1);
      bomb.append("a" + i + ": &a" + i + " [" + (ref + ", ").repeat(9) + ref + "]\n");
    }
    assertEquals(
        "line 1: an anchor given; a spec is one plain YAML document", firstFault(bomb.toString()));
    assertEquals(
        "line 1: an alias given; a spec is one plain YAML document", firstFault("a: *b\n"));
  }

  @Test
  void deepNestingIsRefusedBeforeTheStackEnds() {
    String allowed = " given; a spec is one plain YAML document";
    assertEquals("line 1: nesting deeper than 16" + allowed, firstFault("[".repeat(500_000)));
    assertEquals("line 1: nesting deeper than 16" + allowed, firstFault("- ".repeat(20_000)));
  }

  @Test
  void tagsDirectivesAndFurtherDocumentsAreRefused() {
    String allowed = " given; a spec is one plain YAML document";
    assertEquals("line 1: a tag" + allowed, firstFault("name: !!java.net.URL x\n"));
    assertEquals("line 1: a tag" + allowed, firstFault("name: !x [y]\n"));
    assertEquals("line 1: a directive" + allowed, firstFault("%YAML 1.2\n---\nname: x\n"));
    assertEquals("line 2: a second document" + allowed, firstFault("name: x\n---\nname: y\n"));
  }

  @Test
  void aTextOfRubbishHasABoundedNumberOfFaults() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      text.append("k").append(i).append(": 1\n");
    }
    SpecException thrown =
        assertThrows(SpecException.class, () -> SpecParser.parse(text.toString()));
    assertEquals(SpecFaults.MAX_FAULTS, thrown.faults().size());
  }

  /** An id is "A=x,B=y": 3,600 of 5 + 2 x 71 bytes are more than 512 KiB, of 5 + 2 x 70 are not. */
  @Test
  void armsWhoseIdsNoDecisionCouldListAreRefused() {
    SpecParser.parse(sixtyTimesSixtyArms(70));
    String message =
        assertThrows(SpecException.class, () -> SpecParser.parse(sixtyTimesSixtyArms(71)))
            .getMessage();
    assertTrue(
        message.contains("3600 arms with ids of 529200 bytes given; at most 524288"), message);
  }

  private static String sixtyTimesSixtyArms(int length) {
    String levels =
        IntStream.range(0, 60)
            .mapToObj(("%0" + length + "d")::formatted)
            .collect(Collectors.joining(", ", "levels: [", "]"));
    return SpecText.SOUND
        .replace("levels: [a, b]", levels)
        .replace("levels: [on, off, 2]", levels)
        .replaceFirst("(?s)    M:\\n.*?reward:", "reward:")
        .replace(", default: {value: 0, mediators: {M: no}}", "")
        .replace("  safe: [{A: b, B: [on, 2]}]\n", "")
        .replace(", fallback: \"A=a,B=off\"", "");
  }

  @Test
  void moreArmsThanAnyoneCanTryAreRefusedBeforeTheyAreMade() {
    StringBuilder levels = new StringBuilder("levels: [l0");
    for (int i = 1; i < 1000; i++) {
      levels.append(", l").append(i);
    }
    String text =
        SpecText.SOUND
            .replace("levels: [a, b]", levels + "]")
            .replace("levels: [on, off, 2]", levels + "]");
    String message = assertThrows(SpecException.class, () -> SpecParser.parse(text)).getMessage();
    assertFalse(message.lines().noneMatch(it -> it.contains("1000000 arms given; at most 10000")));
  }

  @Test
  void whateverTheTextIsNothingButASpecExceptionIsThrown() {
    SplittableRandom random = new SplittableRandom(SEED);
    List<String> lines = SpecText.SOUND.lines().toList();
    for (int i = 0; i < MUTATIONS; i++) {
      String text = mutated(SpecText.SOUND, lines, random);
      try {
        SpecParser.parse(text);
      } catch (SpecException expected) {
        assertFalse(expected.faults().isEmpty());
      } catch (RuntimeException | StackOverflowError e) {
        fail("seed " + SEED + ", mutation " + i + ":\n" + text, e);
      }
    }
  }

  private static String mutated(String sound, List<String> lines, SplittableRandom random) {
    StringBuilder text = new StringBuilder(sound);
    for (int times = 1 + random.nextInt(4); times > 0; times--) {
      int at = random.nextInt(text.length());
      int to = Math.min(text.length(), at + 1 + random.nextInt(12));
      String line = lines.get(random.nextInt(lines.size()));
      int piece = random.nextInt(PIECES.length());
      switch (random.nextInt(6)) {
        case 0 -> text.setLength(at + 1);
        case 1 -> text.delete(at, to);
        case 2 -> text.insert(at, PIECES.charAt(piece));
        case 3 -> text.replace(at, to, PIECES.substring(piece));
        case 4 -> text.insert(at, line);
        default -> text.insert(at, text.substring(at, to).repeat(1 + random.nextInt(20)));
      }
      if (text.length() == 0) {
        text.append(line);
      }
    }
    return text.toString();
  }
}
