package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.Origin;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.Source;
import io.equipoise.event.Versions;
import io.equipoise.event.Wire;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.Unredactor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;

/** What is held of earlier attempts' answers. */
class RecoveredDecisionBufferTest {
  private static final Unredactor PLAIN = new Unredactor(KeyRing.none());

  @Test
  void aCheckpointTakesTheBytesThatWereReadAndNoneOfThemTwice() {
    RecoveredDecisionBuffer book = new RecoveredDecisionBuffer(new MemorySize(10_000), PLAIN);
    byte[] first = add(book, 1);
    byte[] second = add(book, 2);
    List<byte[]> bytes = book.bytes();
    assertSame(first, bytes.get(0));
    assertSame(second, bytes.get(1));
    assertSame(bytes, book.bytes());
    Decision given = book.take(context(1));
    assertNotNull(given);
    assertEquals(decision(1), given);
    assertEquals(1, book.bytes().size());
    assertSame(second, book.bytes().get(0));
    assertNull(book.take(context(3)));
    assertTrue(book.bytes().isEmpty());
  }

  @Test
  void theNextOfASegmentIsTheEarliestThatItsStateLacks() {
    RecoveredDecisionBuffer book = new RecoveredDecisionBuffer(new MemorySize(10_000), PLAIN);
    for (int i = 1; i <= 4; i++) {
      add(book, i);
    }
    assertNull(book.next("other", id -> false));
    assertEquals(decision(1), book.next("s", id -> false));
    assertEquals(decision(3), book.next("s", Set.of("d1", "d2", "d4")::contains));
    assertEquals(2, book.size(), "the state has the first two");
    assertNotNull(book.take(context(3)));
    assertEquals(decision(4), book.next("s", id -> false));
    assertNull(book.take(context(5)));
    assertNull(book.next("s", id -> false));
  }

  @Test
  void moreThanTheMemoryTakesIsRefusedWithTheOptionThatGivesMore() {
    RecoveredDecisionBuffer book = new RecoveredDecisionBuffer(new MemorySize(3_000), PLAIN);
    for (int i = 0; i < 1_000; i++) { // what was taken makes room
      add(book, i);
      assertNotNull(book.take(context(i)));
    }
    int answerBytes = Wire.DECISION.encode(decision(1_000)).length + 500;
    int fitting = 3_000 / answerBytes;
    for (int i = 0; i < fitting; i++) {
      add(book, 1_000 + i);
    }
    add(book, 1_000); // is there already
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> add(book, 1_000 + fitting));
    String told = String.valueOf(refused.getMessage());
    assertTrue(told.startsWith(fitting + 1 + " decisions of earlier writer epochs"), told);
    assertTrue(told.contains("equipoise.recovery.max-memory (3000 bytes)"), told);
    assertTrue(told.contains("from the same checkpoint"), told);
  }

  private static byte[] add(RecoveredDecisionBuffer book, int number) {
    byte[] framed = Wire.DECISION.encode(decision(number));
    book.add(decision(number), framed);
    return framed;
  }

  private static ContextEvent context(int number) {
    return new ContextEvent(
        "d" + number,
        "s",
        number,
        Map.of(),
        null,
        null,
        new Origin("contexts", 0, number, number),
        new byte[0]);
  }

  private static Decision decision(int number) {
    return new Decision(
        "d" + number,
        new Place("s", 1, number),
        new Source("contexts", 0, number),
        number,
        new Versions("5e".repeat(16), 1L, null, null, "0d".repeat(16)),
        "ucb",
        "left",
        DecisionReason.EXPLOIT,
        null,
        false,
        null,
        List.of("left", "right"),
        new Propensities(PropensityKind.EXACT, List.of(0.5, 0.5), List.of(), null),
        null,
        List.of(1.0, 0.0),
        null,
        null,
        7,
        false,
        null);
  }
}
